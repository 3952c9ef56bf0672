import { type FeatureMakers, type Making, rowsOf } from './maker.ts'

const period = { startDate: '2026-01-01', endDate: '2026-01-31' }
const OPERATIONS = [
  ...['times', 'channels', 'queue', 'user', 'status', 'reasons', 'hours', 'evolutionChannels'],
  ...['evolutionChannelsName', 'evolutionByPeriod', 'evolutionByValue', 'perUsersDetail'],
]

const users = { report: 'users', filter: period }

function viewOf(making: Making): Promise<number> {
  const at = making.product.platform.now()
  const row = { user_id: making.userId, name: 'Equipe', path: 'estatisticas-atendimentos-usuarios', search: '{}' }
  const values = { ...row, body: JSON.stringify(users), created_at: at, updated_at: at }
  return rowsOf(making).insert('report_views', making.tenantId, values)
}

export const makers: FeatureMakers = {
  params: { 'reportViews.id': viewOf },
  bodies: {
    'reportViews.create': { name: 'Equipe', path: 'estatisticas-atendimentos-usuarios', search: {}, body: users },
    'reportViews.update': { name: 'Outro nome' },
    'namedReports.export': { report: 'users', format: 'csv', filter: period },
  },
  queries: {
    'reports.rows': period,
    'namedReports.tickets': period,
    'namedReports.users': period,
    'namedReports.summaries': { ...period, report: 'sla' },
    'namedReports.details': { ...period, report: 'bots', column: 'sessions' },
    ...Object.fromEntries(OPERATIONS.map((one) => [`statistics.${one}`, period])),
  },
}
