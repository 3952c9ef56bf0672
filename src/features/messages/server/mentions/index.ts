export { listMentionable, listOwnMentions, markMentionSeen } from './mentions.ts'
