export {
  countMentions,
  findColleagues,
  findTeams,
  listMentions,
  type MentionRecord,
  replaceMentions,
  saveMentions,
  seeMention,
  type TeamRecord,
  withdrawNotifications,
} from './queries.ts'
