import type { FeatureMakers } from './maker.ts'

const period = { startDate: '2026-01-01', endDate: '2026-01-31' }
const OPERATIONS = [
  ...['times', 'channels', 'queue', 'user', 'status', 'reasons', 'hours', 'evolutionChannels'],
  ...['evolutionChannelsName', 'evolutionByPeriod', 'evolutionByValue', 'perUsersDetail'],
]

export const makers: FeatureMakers = {
  bodies: { 'namedReports.export': { report: 'users', format: 'csv', filter: period } },
  queries: {
    'reports.rows': period,
    'namedReports.tickets': period,
    'namedReports.users': period,
    ...Object.fromEntries(OPERATIONS.map((one) => [`statistics.${one}`, period])),
  },
}
