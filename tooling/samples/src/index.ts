export { fullPipe } from "./fullPipe.ts"
export { type OperationName, requestId, type SampleCall, sampleCallOf, sampleCalls } from "./sampleCalls.ts"
export { type Ports, type Sample, samples } from "./samples.ts"
