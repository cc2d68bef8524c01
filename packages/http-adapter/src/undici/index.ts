export { UndiciHttpClient } from "./UndiciHttpClient.ts"
