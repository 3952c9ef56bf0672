export { beginContinuation, type Continuation, noteContinuation, withdrawContinuation } from './continuation.ts'
