import type { Feature } from '#server/feature.ts'
import { writtenRoutes } from './written.ts'

export { findFew } from './queries-few.ts'

/** Internal notes and protocols, as lists. */
export const notesFeature: Feature = {
  name: 'notes',
  titles: { ticketNotes: 'Notas internas', ticketProtocols: 'Protocolos' },
  routes: writtenRoutes,
}
