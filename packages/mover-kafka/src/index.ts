export { type VirtualColumn, virtualColumns } from "./message/virtualColumns.ts"
export { type KafkaLogin, type KafkaOptions, type KafkaStart } from "./options/KafkaOptions.ts"
export { type KafkaCredentials, kafkaOptionsOf, KafkaSourceRefused } from "./options/kafkaOptionsOf.ts"
export { KafkaSource } from "./source/KafkaSource.ts"
