// Three examples of each function: its arguments, and the value as the engine writes it in a text. Worked out by hand.
const plain = String.raw`
equals: 1, 1 => 1 ;; 'a', 'b' => 0 ;; 1, NULL => NULL
notEquals: 1, 1 => 0 ;; 'a', 'b' => 1 ;; NULL, 1 => NULL
less: 1, 2 => 1 ;; 2, 2 => 0 ;; 'a', 'b' => 1
lessOrEquals: 2, 2 => 1 ;; 3, 2 => 0 ;; 'b', 'a' => 0
greater: 2, 1 => 1 ;; 2, 2 => 0 ;; 'b', 'a' => 1
greaterOrEquals: 2, 2 => 1 ;; 1, 2 => 0 ;; NULL, 1 => NULL
in: 1, (1, 2) => 1 ;; 'c', ('a', 'b') => 0 ;; 'a', ['a'] => 1
notIn: 1, (1, 2) => 0 ;; 'c', ('a', 'b') => 1 ;; 3, [4] => 1
like: 'abc', 'a%' => 1 ;; 'a_c', 'a\\_c' => 1 ;; 'abc', 'a\\_c' => 0
notLike: 'abc', 'a%' => 0 ;; 'abc', 'x%' => 1 ;; 'ABC', 'a%' => 1
ilike: 'ABC', 'a%' => 1 ;; 'abc', '_B_' => 1 ;; 'abc', 'x%' => 0
notILike: 'ABC', 'a%' => 0 ;; 'abc', 'x' => 1 ;; 'abc', 'ABC' => 0
and: 1, 1 => 1 ;; 1, 0, 1 => 0 ;; NULL, 0 => 0
or: 0, 1 => 1 ;; 0, 0, 0 => 0 ;; NULL, 1 => 1
not: 1 => 0 ;; 0 => 1 ;; NULL => NULL
isNull: NULL => 1 ;; 1 => 0 ;; '' => 0
isNotNull: NULL => 0 ;; 1 => 1 ;; '' => 1
plus: 1, 2 => 3 ;; 0.5, 0.25 => 0.75 ;; toDate('2026-01-31'), INTERVAL 1 DAY => 2026-02-01
minus: 1, 2 => -1 ;; 0.5, 0.25 => 0.25 ;; toDate('2026-03-01'), INTERVAL 1 DAY => 2026-02-28
negate: 5 => -5 ;; -0.5 => 0.5 ;; 0 => 0
abs: -5 => 5 ;; 5 => 5 ;; -0.5 => 0.5
multiply: 3, 4 => 12 ;; 0.5, 0.5 => 0.25 ;; -2, 3 => -6
divide: 7, 2 => 3.5 ;; 1, 4 => 0.25 ;; 1, 0 => inf
modulo: 7, 3 => 1 ;; -7, 3 => -1 ;; 7.5, 2 => 1.5
positiveModulo: 7, 3 => 1 ;; -7, 3 => 2 ;; -6, 3 => 0
intDiv: 7, 2 => 3 ;; 8, 2 => 4 ;; -7, 2 => -3
bitAnd: 6, 3 => 2 ;; 255, 15 => 15 ;; 4, 3 => 0
bitOr: 6, 3 => 7 ;; 8, 1 => 9 ;; 0, 0 => 0
bitXor: 6, 3 => 5 ;; 1, 1 => 0 ;; 0, 7 => 7
bitShiftRight: 8, 2 => 2 ;; 255, 4 => 15 ;; 1, 1 => 0
pow: 2, 10 => 1024 ;; 9, 0.5 => 3 ;; 2, -1 => 0.5
tuple: 1, 'a' => (1,'a') ;; 1, 2, 3 => (1,2,3) ;; 'x' => ('x')
array: 1, 2 => [1,2] ;; 'a' => ['a'] ;; => []
arrayElement: [5, 6], 2 => 6 ;; [5, 6], -1 => 6 ;; [5], 3 => 0
tupleElement: (5, 'b'), 1 => 5 ;; (5, 'b'), 2 => b ;; ((1, 2), 3), 1 => (1,2)
if: 1, 'a', 'b' => a ;; 0, 1, 2 => 2 ;; NULL, 1, 2 => 2
multiIf: 0, 1, 1, 2, 3 => 2 ;; 0, 1, 0, 2, 3 => 3 ;; 1, 'x', 'y' => x
ifNull: NULL, 5 => 5 ;; 1, 5 => 1 ;; 'a', 'b' => a
nullIf: 1, 1 => NULL ;; 1, 2 => 1 ;; 'a', '' => a
assumeNotNull: 5 => 5 ;; toNullable('a') => a ;; toInt64OrNull('7') => 7
toNullable: 5 => 5 ;; 'a' => a ;; 0.5 => 0.5
coalesce: NULL, 2, 3 => 2 ;; 1, 2 => 1 ;; NULL, NULL, 'z' => z
least: 3, 1, 2 => 1 ;; 0.5, 0.25 => 0.25 ;; -1, 1 => -1
greatest: 3, 1, 2 => 3 ;; 0.5, 0.25 => 0.5 ;; -1, 1 => 1
transform: 2, [1, 2], ['a', 'b'], 'c' => b ;; 3, [1, 2], ['a', 'b'], 'c' => c ;; 1, [1], [9] => 9
round: 2.6 => 3 ;; 1.256, 2 => 1.26 ;; 1234, -2 => 1200
floor: 2.6 => 2 ;; -2.1 => -3 ;; 1.29, 1 => 1.2
ceil: 2.1 => 3 ;; -2.9 => -2 ;; 1.21, 1 => 1.3
trunc: 2.9 => 2 ;; -2.9 => -2 ;; 1.29, 1 => 1.2
sqrt: 9 => 3 ;; 0 => 0 ;; 0.25 => 0.5
cbrt: 27 => 3 ;; 0 => 0 ;; -8 => -2
exp: 0 => 1 ;; 1 => 2.718281828459045 ;; -0.0 => 1
log: 1 => 0 ;; 2.718281828459045 => 1 ;; 0 => -inf
log2: 8 => 3 ;; 1 => 0 ;; 0.5 => -1
log10: 1000 => 3 ;; 1 => 0 ;; 0.1 => -1
sign: -5 => -1 ;; 0 => 0 ;; 7.5 => 1
isNaN: 0 / 0 => 1 ;; 1 => 0 ;; 1 / 0 => 0
isFinite: 1 / 0 => 0 ;; 1 => 1 ;; 0 / 0 => 0
isInfinite: 1 / 0 => 1 ;; 1 => 0 ;; 0 / 0 => 0
widthBucket: 5, 0, 10, 10 => 6 ;; -1, 0, 10, 10 => 0 ;; 10, 0, 10, 10 => 11
toInt8: '-5' => -5 ;; 127 => 127 ;; 128 => -128
toInt16: '-300' => -300 ;; 5.9 => 5 ;; 32768 => -32768
toInt32: '70000' => 70000 ;; -1.9 => -1 ;; 5 => 5
toInt64: '9007199254740993' => 9007199254740993 ;; -1 => -1 ;; 1.5 => 1
toUInt8: '200' => 200 ;; 256 => 0 ;; 1.5 => 1
toUInt16: '60000' => 60000 ;; 65536 => 0 ;; 7 => 7
toUInt32: '4000000000' => 4000000000 ;; 0 => 0 ;; 2.9 => 2
toUInt64: '18446744073709551615' => 18446744073709551615 ;; 1 => 1 ;; 3.7 => 3
toFloat32: '0.5' => 0.5 ;; 2 => 2 ;; -1.25 => -1.25
toFloat64: '1e3' => 1000 ;; 2 => 2 ;; '-0.5' => -0.5
toInt32OrNull: '5' => 5 ;; 'x' => NULL ;; '' => NULL
toInt64OrNull: '-5' => -5 ;; 'x' => NULL ;; '1.5' => NULL
toInt64OrZero: '-5' => -5 ;; 'x' => 0 ;; '' => 0
toUInt64OrNull: '5' => 5 ;; '-x' => NULL ;; '' => NULL
toUInt64OrZero: '5' => 5 ;; 'x' => 0 ;; '' => 0
toFloat64OrNull: '0.5' => 0.5 ;; 'n/a' => NULL ;; '' => NULL
toFloat64OrZero: '0.5' => 0.5 ;; 'n/a' => 0 ;; '' => 0
toDecimal64: '1.25', 2 => 1.25 ;; 5, 0 => 5 ;; '-0.5', 1 => -0.5
toBool: 1 => true ;; 0 => false ;; 'true' => true
toYear: toDate('2026-11-23') => 2026 ;; toDateTime('1999-12-31 23:59:59', 'UTC') => 1999 ;; toDateTime('1999-12-31 23:59:59', 'UTC'), 'Asia/Tokyo' => 2000
toQuarter: toDate('2026-11-23') => 4 ;; toDate('2026-03-31') => 1 ;; toDate('2026-04-01') => 2
toMonth: toDate('2026-11-23') => 11 ;; toDate('2026-01-01') => 1 ;; toDateTime('2026-01-31 23:30:00', 'UTC'), 'Europe/Berlin' => 2
toDayOfYear: toDate('2026-01-01') => 1 ;; toDate('2026-12-31') => 365 ;; toDate('2024-12-31') => 366
toDayOfMonth: toDate('2026-11-23') => 23 ;; toDate('2026-02-28') => 28 ;; toDate('2026-03-01') => 1
toDayOfWeek: toDate('2026-11-23') => 1 ;; toDate('2026-11-29') => 7 ;; toDate('2026-11-29'), 1 => 6
toHour: toDateTime('2026-11-23 10:20:30', 'UTC') => 10 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 0 ;; toDateTime('2026-11-23 23:20:30', 'UTC'), 'Europe/Berlin' => 0
toMinute: toDateTime('2026-11-23 10:20:30', 'UTC') => 20 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 0 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 'Asia/Kolkata' => 50
toSecond: toDateTime('2026-11-23 10:20:30', 'UTC') => 30 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 0 ;; toDateTime('2026-11-23 00:00:59', 'UTC') => 59
toYYYYMM: toDate('2026-11-23') => 202611 ;; toDate('1999-01-01') => 199901 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 202611
toYYYYMMDD: toDate('2026-11-23') => 20261123 ;; toDate('1999-01-01') => 19990101 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 20261123
toYYYYMMDDhhmmss: toDateTime('2026-11-23 10:20:30', 'UTC') => 20261123102030 ;; toDateTime('1999-01-01 00:00:00', 'UTC') => 19990101000000 ;; toDateTime('2000-02-29 23:59:59', 'UTC') => 20000229235959
toRelativeDayNum: toDate('1970-01-02') => 1 ;; toDate('1970-01-01') => 0 ;; toDate('1971-01-01') => 365
toRelativeHourNum: toDateTime('1970-01-01 05:00:00', 'UTC') => 5 ;; toDateTime('1970-01-02 00:59:00', 'UTC') => 24 ;; toDateTime('1970-01-01 00:10:00', 'UTC') => 0
toISOWeek: toDate('2026-01-01') => 1 ;; toDate('2026-12-31') => 53 ;; toDate('2025-12-29') => 1
toUnixTimestamp: toDateTime('1970-01-01 00:01:00', 'UTC') => 60 ;; toDateTime('2000-01-01 00:00:00', 'UTC') => 946684800 ;; '1970-01-02 00:00:00', 'UTC' => 86400
toMonday: toDate('2026-11-26') => 2026-11-23 ;; toDate('2026-11-23') => 2026-11-23 ;; toDate('2026-11-29') => 2026-11-23
toStartOfYear: toDate('2026-11-23') => 2026-01-01 ;; toDate('2026-01-01') => 2026-01-01 ;; toDate('2024-02-29') => 2024-01-01
toStartOfQuarter: toDate('2026-11-23') => 2026-10-01 ;; toDate('2026-03-31') => 2026-01-01 ;; toDate('2026-04-01') => 2026-04-01
toStartOfMonth: toDate('2026-11-23') => 2026-11-01 ;; toDate('2026-02-28') => 2026-02-01 ;; toDate('2026-03-01') => 2026-03-01
toDate: '2026-11-23' => 2026-11-23 ;; toDateTime('2026-11-23 23:30:00', 'UTC') => 2026-11-23 ;; toDateTime('2026-11-23 23:30:00', 'UTC'), 'Europe/Berlin' => 2026-11-24
toDate32: '1950-01-01' => 1950-01-01 ;; '2026-11-23' => 2026-11-23 ;; toDate('2000-02-29') => 2000-02-29
toLastDayOfMonth: toDate('2026-02-01') => 2026-02-28 ;; toDate('2024-02-10') => 2024-02-29 ;; toDate('2026-12-31') => 2026-12-31
toStartOfWeek: toDate('2026-11-26') => 2026-11-22 ;; toDate('2026-11-26'), 1 => 2026-11-23 ;; toDate('2026-11-22') => 2026-11-22
toStartOfDay: toDateTime('2026-11-23 10:20:30', 'UTC') => 2026-11-23 00:00:00 ;; toDateTime('2026-11-23 00:00:00', 'UTC') => 2026-11-23 00:00:00 ;; toDateTime('2024-02-29 23:59:59', 'UTC') => 2024-02-29 00:00:00
toStartOfHour: toDateTime('2026-11-23 10:20:30', 'UTC') => 2026-11-23 10:00:00 ;; toDateTime('2026-11-23 00:59:59', 'UTC') => 2026-11-23 00:00:00 ;; toDateTime('2026-11-23 23:00:00', 'UTC') => 2026-11-23 23:00:00
toStartOfMinute: toDateTime('2026-11-23 10:20:30', 'UTC') => 2026-11-23 10:20:00 ;; toDateTime('2026-11-23 10:20:00', 'UTC') => 2026-11-23 10:20:00 ;; toDateTime('2026-11-23 23:59:59', 'UTC') => 2026-11-23 23:59:00
toStartOfSecond: toDateTime64('2026-11-23 10:20:30.123', 3, 'UTC') => 2026-11-23 10:20:30.000 ;; toDateTime64('2026-11-23 10:20:30', 3, 'UTC') => 2026-11-23 10:20:30.000 ;; toDateTime64('2026-11-23 10:20:30.9', 1, 'UTC') => 2026-11-23 10:20:30.0
toStartOfFiveMinutes: toDateTime('2026-11-23 10:23:30', 'UTC') => 2026-11-23 10:20:00 ;; toDateTime('2026-11-23 10:25:00', 'UTC') => 2026-11-23 10:25:00 ;; toDateTime('2026-11-23 10:04:59', 'UTC') => 2026-11-23 10:00:00
toStartOfTenMinutes: toDateTime('2026-11-23 10:23:30', 'UTC') => 2026-11-23 10:20:00 ;; toDateTime('2026-11-23 10:30:00', 'UTC') => 2026-11-23 10:30:00 ;; toDateTime('2026-11-23 10:09:59', 'UTC') => 2026-11-23 10:00:00
toStartOfFifteenMinutes: toDateTime('2026-11-23 10:23:30', 'UTC') => 2026-11-23 10:15:00 ;; toDateTime('2026-11-23 10:45:00', 'UTC') => 2026-11-23 10:45:00 ;; toDateTime('2026-11-23 10:14:59', 'UTC') => 2026-11-23 10:00:00
toDateTime: '2026-11-23 10:20:30', 'UTC' => 2026-11-23 10:20:30 ;; 86400, 'UTC' => 1970-01-02 00:00:00 ;; toDate('2026-11-23'), 'UTC' => 2026-11-23 00:00:00
toDateTimeOrNull: 'x' => NULL ;; '' => NULL ;; 'yesterday' => NULL
fromUnixTimestamp: 0 = toDateTime(0) => 1 ;; 60 = toDateTime('1970-01-01 00:01:00', 'UTC') => 1 ;; 946684800 = toDateTime('2000-01-01 00:00:00', 'UTC') => 1
fromUnixTimestamp64Milli: 1500, 'UTC' => 1970-01-01 00:00:01.500 ;; 0, 'UTC' => 1970-01-01 00:00:00.000 ;; toInt64(946684800123), 'UTC' => 2000-01-01 00:00:00.123
fromUnixTimestamp64Micro: 1500000, 'UTC' => 1970-01-01 00:00:01.500000 ;; 0, 'UTC' => 1970-01-01 00:00:00.000000 ;; 1, 'UTC' => 1970-01-01 00:00:00.000001
fromUnixTimestamp64Nano: 1500000000, 'UTC' => 1970-01-01 00:00:01.500000000 ;; 0, 'UTC' => 1970-01-01 00:00:00.000000000 ;; 1, 'UTC' => 1970-01-01 00:00:00.000000001
toUnixTimestamp64Milli: toDateTime64('1970-01-01 00:00:01.5', 3, 'UTC') => 1500 ;; toDateTime64('1970-01-01 00:00:00', 3, 'UTC') => 0 ;; toDateTime64('1970-01-01 00:01:00', 0, 'UTC') => 60000
toUnixTimestamp64Micro: toDateTime64('1970-01-01 00:00:01.5', 6, 'UTC') => 1500000 ;; toDateTime64('1970-01-01 00:00:00', 6, 'UTC') => 0 ;; toDateTime64('1970-01-01 00:01:00', 6, 'UTC') => 60000000
toUnixTimestamp64Nano: toDateTime64('1970-01-01 00:00:01.5', 9, 'UTC') => 1500000000 ;; toDateTime64('1970-01-01 00:00:00', 9, 'UTC') => 0 ;; toDateTime64('1970-01-01 00:01:00', 9, 'UTC') => 60000000000
toStartOfInterval: toDateTime('2026-11-23 10:23:30', 'UTC'), INTERVAL 5 MINUTE => 2026-11-23 10:20:00 ;; toDateTime('2026-11-23 10:23:30', 'UTC'), INTERVAL 2 HOURS => 2026-11-23 10:00:00 ;; toDateTime('2026-11-23 10:23:30', 'UTC'), INTERVAL 15 SECOND => 2026-11-23 10:23:30
toDateTime64: '2026-11-23 10:20:30.5', 3, 'UTC' => 2026-11-23 10:20:30.500 ;; 60, 0, 'UTC' => 1970-01-01 00:01:00 ;; toDate('2026-11-23'), 1, 'UTC' => 2026-11-23 00:00:00.0
dateTrunc: 'hour', toDateTime('2026-11-23 10:20:30', 'UTC') => 2026-11-23 10:00:00 ;; 'month', toDate('2026-11-23') => 2026-11-01 ;; 'year', toDate('2026-11-23') => 2026-01-01
parseDateTimeBestEffort: '2026-11-23T10:20:30Z', 'UTC' => 2026-11-23 10:20:30 ;; '23 Nov 2026 10:20', 'UTC' => 2026-11-23 10:20:00 ;; '2026-11-23T10:20:30+01:00', 'UTC' => 2026-11-23 09:20:30
parseDateTimeBestEffortOrNull: 'x' => NULL ;; '' => NULL ;; '2026-11-23T10:20:30Z', 'UTC' => 2026-11-23 10:20:30
parseDateTime64BestEffort: '2026-11-23T10:20:30.123Z', 3, 'UTC' => 2026-11-23 10:20:30.123 ;; '2026-11-23', 9, 'UTC' => 2026-11-23 00:00:00.000000000 ;; '2026-11-23T10:20:30+02:00', 0, 'UTC' => 2026-11-23 08:20:30
parseDateTime64BestEffortOrNull: 'x' => NULL ;; '' => NULL ;; '2026-11-23T10:20:30.5Z', 1, 'UTC' => 2026-11-23 10:20:30.5
toIntervalMillisecond: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalSecond: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalMinute: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalHour: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalDay: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalWeek: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalMonth: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalQuarter: 5 => 5 ;; 0 => 0 ;; -1 => -1
toIntervalYear: 5 => 5 ;; 0 => 0 ;; -1 => -1
addSeconds: toDateTime('2026-11-23 10:20:30', 'UTC'), 30 => 2026-11-23 10:21:00 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), -31 => 2026-11-23 10:19:59
addMinutes: toDateTime('2026-11-23 10:20:30', 'UTC'), 40 => 2026-11-23 11:00:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), -21 => 2026-11-23 09:59:30
addHours: toDateTime('2026-11-23 10:20:30', 'UTC'), 14 => 2026-11-24 00:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), -1 => 2026-11-23 09:20:30
addDays: toDate('2026-11-30'), 1 => 2026-12-01 ;; toDate('2026-11-30'), 0 => 2026-11-30 ;; toDate('2026-03-01'), -1 => 2026-02-28
addWeeks: toDate('2026-11-23'), 1 => 2026-11-30 ;; toDate('2026-11-23'), 0 => 2026-11-23 ;; toDate('2026-11-23'), -1 => 2026-11-16
addMonths: toDate('2026-01-31'), 1 => 2026-02-28 ;; toDate('2026-11-23'), 2 => 2027-01-23 ;; toDate('2026-11-23'), -1 => 2026-10-23
addYears: toDate('2024-02-29'), 1 => 2025-02-28 ;; toDate('2026-11-23'), 2 => 2028-11-23 ;; toDate('2026-11-23'), -1 => 2025-11-23
subtractSeconds: toDateTime('2026-11-23 10:20:30', 'UTC'), 31 => 2026-11-23 10:19:59 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 30 => 2026-11-23 10:20:00
subtractMinutes: toDateTime('2026-11-23 10:20:30', 'UTC'), 21 => 2026-11-23 09:59:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 20 => 2026-11-23 10:00:30
subtractHours: toDateTime('2026-11-23 10:20:30', 'UTC'), 11 => 2026-11-22 23:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 0 => 2026-11-23 10:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 1 => 2026-11-23 09:20:30
subtractDays: toDate('2026-12-01'), 1 => 2026-11-30 ;; toDate('2026-11-30'), 0 => 2026-11-30 ;; toDate('2024-03-01'), 1 => 2024-02-29
subtractWeeks: toDate('2026-11-23'), 1 => 2026-11-16 ;; toDate('2026-11-23'), 0 => 2026-11-23 ;; toDate('2026-11-23'), 2 => 2026-11-09
subtractMonths: toDate('2026-03-31'), 1 => 2026-02-28 ;; toDate('2026-11-23'), 11 => 2025-12-23 ;; toDate('2026-11-23'), 0 => 2026-11-23
subtractYears: toDate('2024-02-29'), 1 => 2023-02-28 ;; toDate('2026-11-23'), 0 => 2026-11-23 ;; toDate('2026-11-23'), 2 => 2024-11-23
dateDiff: 'day', toDate('2026-11-23'), toDate('2026-11-30') => 7 ;; 'month', toDate('2026-11-30'), toDate('2026-12-01') => 1 ;; 'hour', toDateTime('2026-11-23 10:59:00', 'UTC'), toDateTime('2026-11-23 11:00:00', 'UTC') => 1
formatDateTime: toDateTime('2026-11-23 10:20:30', 'UTC'), '%Y-%m' => 2026-11 ;; toDate('2026-11-23'), '%d' => 23 ;; toDateTime('2026-11-23 23:20:30', 'UTC'), '%H', 'Europe/Berlin' => 00
toTimeZone: toDateTime('2026-11-23 10:20:30', 'UTC'), 'Europe/Berlin' => 2026-11-23 11:20:30 ;; toDateTime('2026-07-01 10:20:30', 'UTC'), 'Europe/Berlin' => 2026-07-01 12:20:30 ;; toDateTime('2026-11-23 10:20:30', 'UTC'), 'Asia/Kolkata' => 2026-11-23 15:50:30
toString: 5 => 5 ;; 'a' => a ;; toDate('2026-11-23') => 2026-11-23
trimBoth: '  a b ' => a b ;; 'a' => a ;; '' =>
trimLeft: '  a b' => a b ;; 'a' => a ;; '' =>
trimRight: 'a b  ' => a b ;; 'a' => a ;; '' =>
lower: 'ABC' => abc ;; 'É' => É ;; '' =>
upper: 'abc' => ABC ;; 'é' => é ;; '' =>
lowerUTF8: 'ABC' => abc ;; 'É' => é ;; '' =>
upperUTF8: 'abc' => ABC ;; 'é' => É ;; '' =>
domain: 'https://www.example.com/a?b' => www.example.com ;; 'x' => ;; 'http://example.com:80' => example.com
domainWithoutWWW: 'https://www.example.com/a' => example.com ;; 'http://example.com' => example.com ;; 'x' =>
topLevelDomain: 'https://www.example.com/a' => com ;; 'http://example.co.uk' => uk ;; 'x' =>
path: 'https://example.com/a/b?c' => /a/b ;; 'https://example.com' => ;; 'https://example.com/' => /
protocol: 'https://example.com' => https ;; 'x' => ;; 'ftp://a' => ftp
queryString: 'https://example.com/a?b=1' => b=1 ;; 'https://example.com/a' => ;; 'https://example.com/a?b=1#c' => b=1
cutQueryString: 'https://example.com/a?b=1' => https://example.com/a ;; 'https://example.com/a' => https://example.com/a ;; '' =>
decodeURLComponent: 'a%20b' => a b ;; 'a' => a ;; '%41' => A
reverse: 'abc' => cba ;; '' => ;; 'a' => a
hex: 'A' => 41 ;; 255 => FF ;; '' =>
formatReadableSize: 1024 => 1.00 KiB ;; 0 => 0.00 B ;; 1048576 => 1.00 MiB
formatReadableQuantity: 1234 => 1.23 thousand ;; 5 => 5.00 ;; 2000000 => 2.00 million
formatReadableTimeDelta: 60 => 1 minute ;; 3661 => 1 hour, 1 minute and 1 second ;; 1 => 1 second
left: 'abc', 2 => ab ;; 'abc', 9 => abc ;; 'abc', 0 =>
right: 'abc', 2 => bc ;; 'abc', 9 => abc ;; 'abc', 0 =>
extract: 'a12b', '[0-9]+' => 12 ;; 'ab', '[0-9]+' => ;; 'k=v', 'k=(.)' => v
extractURLParameter: 'http://x/?a=1&b=2', 'b' => 2 ;; 'http://x/?a=1', 'c' => ;; 'http://x/', 'a' =>
substring: 'abcd', 2 => bcd ;; 'abcd', 2, 2 => bc ;; 'abcd', -1 => d
substringUTF8: 'éàü', 2 => àü ;; 'éàü', 2, 1 => à ;; 'abc', 1, 0 =>
substringIndex: 'a.b.c', '.', 2 => a.b ;; 'a.b.c', '.', -1 => c ;; 'abc', '.', 1 => abc
replaceOne: 'aaa', 'a', 'b' => baa ;; 'abc', 'x', 'y' => abc ;; '', 'a', 'b' =>
replaceAll: 'aaa', 'a', 'b' => bbb ;; 'abc', 'b', '' => ac ;; 'abc', 'x', 'y' => abc
replaceRegexpOne: 'a1b2', '[0-9]', '#' => a#b2 ;; 'ab', '[0-9]', '#' => ab ;; 'ab', '(a)(b)', '\\2\\1' => ba
replaceRegexpAll: 'a1b2', '[0-9]', '#' => a#b# ;; 'ab', '[0-9]', '#' => ab ;; 'abab', 'a', '' => bb
concat: 'a', 'b' => ab ;; 'a', 'b', 'c' => abc ;; 'x', '' => x
concatWithSeparator: ';', 'a', 'b' => a;b ;; '', 'a', 'b' => ab ;; '-', 'x' => x
empty: '' => 1 ;; 'a' => 0 ;; [] => 1
notEmpty: '' => 0 ;; 'a' => 1 ;; [1] => 1
length: 'abc' => 3 ;; 'é' => 2 ;; [1, 2] => 2
lengthUTF8: 'abc' => 3 ;; 'é' => 1 ;; '' => 0
position: 'abcabc', 'c' => 3 ;; 'abc', 'x' => 0 ;; 'abcabc', 'a', 2 => 4
positionCaseInsensitive: 'ABC', 'c' => 3 ;; 'abc', 'X' => 0 ;; 'aBc', 'b' => 2
countSubstrings: 'abab', 'ab' => 2 ;; 'aaa', 'aa' => 1 ;; 'x', 'y' => 0
startsWith: 'abc', 'ab' => 1 ;; 'abc', 'bc' => 0 ;; 'abc', '' => 1
endsWith: 'abc', 'bc' => 1 ;; 'abc', 'ab' => 0 ;; 'abc', '' => 1
match: 'abc', 'b' => 1 ;; 'abc', '^b' => 0 ;; 'a1', '[0-9]$' => 1
hasToken: 'a quick fox', 'quick' => 1 ;; 'a quick fox', 'qui' => 0 ;; 'a-b_c', 'b' => 1
hasTokenCaseInsensitive: 'A Quick fox', 'quick' => 1 ;; 'a b', 'c' => 0 ;; 'a,B', 'b' => 1
multiSearchAny: 'abc', ['x', 'b'] => 1 ;; 'abc', ['x'] => 0 ;; 'abc', ['abc'] => 1
toJSONString: 'a"b' => "a\"b" ;; [1, 2] => [1,2] ;; 5 => 5
JSONExtractString: '{"a":"x"}', 'a' => x ;; '{"a":{"b":"y"}}', 'a', 'b' => y ;; '{"a":1}', 'b' =>
JSONExtractRaw: '{"a":[1,2]}', 'a' => [1,2] ;; '{"a":"x"}', 'a' => "x" ;; '{}', 'a' =>
JSONExtractInt: '{"a":-5}', 'a' => -5 ;; '{"a":"x"}', 'a' => 0 ;; '[7,8]', 2 => 8
JSONExtractUInt: '{"a":5}', 'a' => 5 ;; '{}', 'a' => 0 ;; '[7,8]', 1 => 7
JSONExtractFloat: '{"a":0.5}', 'a' => 0.5 ;; '{}', 'a' => 0 ;; '{"a":2}', 'a' => 2
JSONLength: '[1,2,3]' => 3 ;; '{"a":1}' => 1 ;; '{"a":[1]}', 'a' => 1
JSONExtractBool: '{"a":true}', 'a' => 1 ;; '{"a":false}', 'a' => 0 ;; '{}', 'a' => 0
JSONHas: '{"a":1}', 'a' => 1 ;; '{"a":1}', 'b' => 0 ;; '{"a":{"b":1}}', 'a', 'b' => 1
isValidJSON: '{"a":1}' => 1 ;; '{' => 0 ;; '[]' => 1
has: [1, 2], 2 => 1 ;; [1, 2], 3 => 0 ;; ['a'], 'a' => 1
hasAny: [1, 2], [2, 3] => 1 ;; [1], [2] => 0 ;; ['a'], ['a', 'b'] => 1
hasAll: [1, 2], [2] => 1 ;; [1], [1, 2] => 0 ;; ['a', 'b'], ['b', 'a'] => 1
indexOf: [5, 6], 6 => 2 ;; [5], 7 => 0 ;; ['a', 'b'], 'a' => 1
arrayReverse: [1, 2] => [2,1] ;; [1] => [1] ;; ['a', 'b'] => ['b','a']
arrayDistinct: [1, 1, 2] => [1,2] ;; ['a'] => ['a'] ;; ['a', 'a'] => ['a']
arrayConcat: [1], [2, 3] => [1,2,3] ;; [1] => [1] ;; ['a'], ['b'], ['c'] => ['a','b','c']
arraySlice: [1, 2, 3], 2 => [2,3] ;; [1, 2, 3], 1, 2 => [1,2] ;; [1, 2, 3], -1 => [3]
arrayUniq: [1, 1, 2] => 2 ;; ['a'] => 1 ;; [] => 0
arrayStringConcat: ['a', 'b'], '-' => a-b ;; ['a', 'b'] => ab ;; ['x'], ',' => x
arrayExists: x -> x > 1, [1, 2] => 1 ;; x -> x > 5, [1, 2] => 0 ;; (x, y) -> x = y, [1, 2], [3, 2] => 1
arrayAll: x -> x > 0, [1, 2] => 1 ;; x -> x > 1, [1, 2] => 0 ;; x -> x = 'a', ['a'] => 1
arrayMap: x -> x + 1, [1, 2] => [2,3] ;; (x, y) -> x * y, [1, 2], [3, 4] => [3,8] ;; x -> upper(x), ['a'] => ['A']
arrayFilter: x -> x > 1, [1, 2, 3] => [2,3] ;; x -> x = 'a', ['a', 'b'] => ['a'] ;; x -> 0, [1] => []
arrayFirst: x -> x > 1, [1, 2, 3] => 2 ;; x -> x > 5, [1] => 0 ;; x -> x = 'b', ['a', 'b'] => b
arraySort: [3, 1, 2] => [1,2,3] ;; x -> -x, [3, 1, 2] => [3,2,1] ;; ['b', 'a'] => ['a','b']
arrayMin: [3, 1, 2] => 1 ;; x -> -x, [3, 1] => -3 ;; [5] => 5
arrayMax: [3, 1, 2] => 3 ;; x -> -x, [3, 1] => -1 ;; [5] => 5
arrayCount: x -> x > 1, [1, 2, 3] => 2 ;; [0, 1, 1] => 2 ;; x -> x = 9, [1] => 0
arraySum: [1, 2, 3] => 6 ;; x -> x * 2, [1, 2] => 6 ;; [0.5, 0.25] => 0.75
arrayAvg: [1, 2, 3] => 2 ;; x -> x * 2, [1, 2] => 3 ;; [5] => 5
mapContains: m, 'a' => 1 ;; m, 'z' => 0 ;; m, '' => 0
mapKeys: m => ['a','b'] ;; empty => [] ;; one => ['k']
mapValues: m => ['1','2'] ;; empty => [] ;; one => ['v']
getSubcolumn: j, 'a.b' => 5 ;; j, 'c' => x ;; j, 'z' =>`

/** Over the rows with `g = 1` of `rowsOfAggregates`. A text before the arguments that begins with @ is a parameter. */
const aggregates = String.raw`
count: => 5 ;; n => 4 ;; s => 5
sum: n => 10 ;; f => 12.5 ;; w => 9
avg: n => 2.5 ;; f => 2.5 ;; w => 1.8
stddevPop: f => 1.4142135623730951 ;; n => 1.118033988749895 ;; toFloat64(g) => 0
stddevSamp: f => 1.5811388300841898 ;; n => 1.2909944487358056 ;; toFloat64(g) => 0
varPop: f => 2 ;; n => 1.25 ;; toFloat64(g) => 0
varSamp: f => 2.5 ;; n => 1.6666666666666667 ;; toFloat64(g) => 0
min: n => 1 ;; f => 0.5 ;; s =>
max: n => 4 ;; f => 4.5 ;; s => c
any: g => 1 ;; toString(g) => 1 ;; g + 1 => 2
anyLast: g => 1 ;; toString(g) => 1 ;; g + 1 => 2
uniqExact: s => 4 ;; n => 4 ;; s, g => 4
uniq: s => 4 ;; n => 4 ;; s, g => 4
uniqCombined: s => 4 ;; n => 4 ;; s, g => 4
quantile: f => 2.5 ;; @0.25 f => 1.5 ;; @1 f => 4.5
quantileExact: f => 2.5 ;; @0.25 f => 1.5 ;; @0 f => 0.5
quantileTDigest: f => 2.5 ;; @0 f => 0.5 ;; @1 f => 4.5
median: f => 2.5 ;; n => 2.5 ;; g => 1
quantiles: @0.5 f => [2.5] ;; @0.25, 0.75 f => [1.5,3.5] ;; @0, 1 f => [0.5,4.5]
argMin: s, f => a ;; f, w => 3.5 ;; w, f => 1
argMax: s, f => c ;; f, w => 4.5 ;; w, f => 5
corr: f, f => 1 ;; f, -f => -1 ;; f * 2, f => 1
topK: @1 s => ['b'] ;; @1 g => [1] ;; @5 g => [1]
groupArray: g => [1,1,1,1,1] ;; @2 g => [1,1] ;; @1 toString(g) => ['1']
groupUniqArray: g => [1] ;; @1 g => [1] ;; toString(g) => ['1']`

/** Names and types of the columns of the examples. */
export const exampleColumns: ReadonlyArray<readonly [name: string, type: string]> = [
  ["g", "UInt8"],
  ["n", "Nullable(Int64)"],
  ["w", "UInt64"],
  ["s", "String"],
  ["f", "Float64"],
  ["m", "Map(String, String)"],
  ["empty", "Map(String, String)"],
  ["one", "Map(String, String)"],
  ["j", "JSON"]
]

export const rowsOfAggregates = `SELECT * FROM values('g UInt8, n Nullable(Int64), w UInt64, s String, f Float64',
  (1, 1, 1, 'a', 0.5), (1, 2, 1, 'b', 1.5), (1, 3, 2, 'b', 2.5), (1, 4, 0, '', 3.5), (1, NULL, 5, 'c', 4.5),
  (0, 100, 9, 'z', -50), (0, -100, 7, 'y', 77))`

export const rowOfPlain = `SELECT map('a', '1', 'b', '2') AS m, CAST(map(), 'Map(String, String)') AS empty, map('k', 'v') AS one,
  CAST('{"a": {"b": 5}, "c": "x"}', 'JSON') AS j`

interface Example {
  readonly name: string
  readonly text: string
  readonly value: string
}

const examplesOf = (table: string, rename: (name: string) => string, last: string): ReadonlyArray<Example> =>
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, base = "", examples = ""] = /^(\w+): (.*)$/.exec(line) ?? []
      const name = rename(base)
      return examples.split(" ;; ").map((example) => {
        const [, parameter, args = "", value = ""] = /^(?:@([\d., ]*\d) )?(.*?) ?=>(?: (.*))?$/.exec(example) ?? []
        const before = parameter === undefined ? "" : `(${parameter})`
        return { name, text: `${name}${before}(${[args, last].filter((part) => part !== "").join(", ")})`, value }
      })
    })

const comparedTimes = /^fromUnixTimestamp$/

export const plainExamples: ReadonlyArray<Example> = examplesOf(plain, (name) => name, "").map((example) =>
  // Its zone is that of the engine, so that its value is compared as a time.
  comparedTimes.test(example.name)
    ? { ...example, text: example.text.replace(/^(\w+)\((\d+) = (.*)\)$/, "$1($2) = $3") }
    : example
)

export const aggregateExamples = examplesOf(aggregates, (name) => name, "")

/** The same values, over all rows, with a condition. */
export const conditionalExamples: ReadonlyArray<Example> = [
  ...examplesOf(aggregates, (name) => `${name}If`, "g = 1").filter(({ name }) => name !== "countIf"),
  { name: "countIf", text: "countIf(g = 1)", value: "5" },
  { name: "countIf", text: "countIf(n > 1)", value: "4" },
  { name: "countIf", text: "countIf(false)", value: "0" }
]
