export { forgetConversations, forgetMessages, forgetTrail, messagesToForget } from './queries.ts'
