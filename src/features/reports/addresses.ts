import { addresses } from '#kit/addresses.ts'

/** Routes of `reports`. */
export const reports = addresses('reports', {
  proof: { method: 'GET', path: '/reports/proof', can: 'dashboard:read' },
  prove: { method: 'POST', path: '/reports/proof', can: 'reports:read' },
  rows: { method: 'GET', path: '/reports/rows', can: 'dashboard:read' },
})

/** Routes of `statistics`. */
export const statistics = addresses('statistics', {
  times: { method: 'GET', path: '/statistics-tickets-times', can: 'dashboard:read' },
  channels: { method: 'GET', path: '/statistics-tickets-channels', can: 'dashboard:read' },
  queue: { method: 'GET', path: '/statistics-tickets-queue', can: 'dashboard:read' },
  user: { method: 'GET', path: '/statistics-tickets-user', can: 'dashboard:read' },
  status: { method: 'GET', path: '/statistics-tickets-status', can: 'dashboard:read' },
  reasons: { method: 'GET', path: '/statistics-tickets-reasons', can: 'dashboard:read' },
  hours: { method: 'GET', path: '/statistics-tickets-hours', can: 'dashboard:read' },
  evolutionChannels: { method: 'GET', path: '/statistics-tickets-evolution-channels', can: 'dashboard:read' },
  evolutionChannelsName: { method: 'GET', path: '/statistics-tickets-evolution-channels-name', can: 'dashboard:read' },
  evolutionByPeriod: { method: 'GET', path: '/statistics-tickets-evolution-by-period', can: 'dashboard:read' },
  evolutionByValue: { method: 'GET', path: '/statistics-tickets-evolution-by-value', can: 'dashboard:read' },
  perUsersDetail: { method: 'GET', path: '/statistics-tickets-per-users-detail', can: 'dashboard:read' },
})

/** Routes of `namedReports`. */
export const namedReports = addresses('namedReports', {
  tickets: { method: 'GET', path: '/tickets-report', can: 'reports:read' },
  contacts: { method: 'GET', path: '/contacts-report', can: 'reports:read' },
  users: { method: 'GET', path: '/statistics-per-users', can: 'reports:read' },
  summaries: { method: 'GET', path: '/reports/summaries', can: 'reports:read' },
  details: { method: 'GET', path: '/reports/details', can: 'reports:read' },
  export: { method: 'POST', path: '/reports/export', can: 'reports:read' },
})

/** Routes of `reportViews`. */
export const reportViews = addresses('reportViews', {
  list: { method: 'GET', path: '/reports/views', can: 'reports:read' },
  readers: { method: 'GET', path: '/reports/readers', can: 'reports:read' },
  create: { method: 'POST', path: '/reports/views', can: 'reports:read', touches: ['reportViews'] },
  update: { method: 'PUT', path: '/reports/views/:id', can: 'reports:read', touches: ['reportViews'] },
  remove: { method: 'DELETE', path: '/reports/views/:id', can: 'reports:read', touches: ['reportViews'] },
})
