export { readReceipts, receivePresence, showPresence } from './presence.ts'
