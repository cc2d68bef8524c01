export { kafkaConnector } from "./source/kafkaConnector.ts"
export { type VirtualColumn, virtualColumns } from "./message/virtualColumns.ts"
export {
  type KafkaCredentials,
  type KafkaLogin,
  type KafkaOptions,
  kafkaOptionsOf,
  type KafkaStart
} from "./options/KafkaOptions.ts"
export { KafkaSource } from "./source/KafkaSource.ts"
