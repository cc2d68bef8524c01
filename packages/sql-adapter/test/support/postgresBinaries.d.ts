/** The folder of Postgres's `initdb` and `postgres` on this machine; `undefined` where there is none. */
export declare const postgresBinaries: () => string | undefined
