export { demoColumns } from "./row/demoRow.ts"
export { demoBroker, demoConnector } from "./source/demoConnector.ts"
export { DemoSource, type NumberedRows } from "./source/DemoSource.ts"
