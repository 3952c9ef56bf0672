import type { Feature } from '#server/feature.ts'

/** The address that documentation names leads to the screen on which every operation is read and tried. */
export const apiDocsFeature: Feature = {
  name: 'api-docs',
  attach(_, { http }) {
    http.get('/api/docs', (_request, reply) => reply.redirect('/api-referencia'))
  },
}
