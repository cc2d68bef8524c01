export {
  CallError,
  Conflict,
  Forbidden,
  InvalidRequest,
  RateLimited,
  ServerFault,
  TimedOut,
  TransportFault,
  Unauthorized,
  UnexpectedResponse
} from "./CallError.ts"
export { type CallFields, callFields } from "./CallFields.ts"
export { decodeRequest } from "./checked.ts"
export { FieldIssue, fieldIssues, formatFieldIssues, formatPath } from "./FieldIssue.ts"
export { invalidRequest } from "./invalidRequest.ts"
export { jsonIssues } from "./jsonIssues.ts"
