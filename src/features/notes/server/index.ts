import type { Feature } from '#server/feature.ts'
import { writtenRoutes } from './written.ts'

export { findFew } from './queries-few.ts'

/** Server part of the feature `notes`: lists of internal notes and protocols. */
export const notesFeature: Feature = {
  name: 'notes',
  titles: { ticketNotes: 'Notas internas', ticketProtocols: 'Protocolos' },
  routes: writtenRoutes,
}
