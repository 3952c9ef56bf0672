import type { Feature } from '#server/feature.ts'

/** Server part of the feature `api-docs`: the API reference. */
export const apiDocsFeature: Feature = {
  name: 'api-docs',
  attach(_, { http }) {
    http.get('/api/docs', (_request, reply) => reply.redirect('/api-referencia'))
  },
}
