import type { Feature } from '#server/feature.ts'
import { ticketBulkRoutes } from './bulk/bulk.ts'
import { ticketCommandRoutes } from './commands/commands.ts'
import { messageRoutes } from './messages/routes.ts'

/** Attendance feature: messages, ticket commands and bulk operations. */
export const attendanceFeature: Feature = {
  name: 'attendance',
  titles: {
    ticketCommands: 'Comandos de atendimentos',
    ticketsBulk: 'Atendimentos em lote',
    messages: 'Mensagens',
  },
  routes: [...ticketCommandRoutes, ...ticketBulkRoutes, ...messageRoutes],
}
