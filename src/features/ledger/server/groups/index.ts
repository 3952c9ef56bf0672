export { MOST_MEMBERS, mentionedIn } from './mentioned.ts'
export { groupTickets, groupUsersOf, type MemberRow, membersOf } from './queries.ts'
