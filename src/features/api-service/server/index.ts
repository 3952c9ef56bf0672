import type { FastifyReply, FastifyRequest } from 'fastify'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import './callbacks.ts'
import { externalDocument } from './document.ts'
import { approvalRoutes } from './mcp/approvals.ts'
import { serveTools } from './mcp/serve.ts'
import { answerExternal, externalPaths } from './paths.ts'
import { keysOfApiKeys } from './queries.ts'
import { keyRoutes } from './routes.ts'

export { forgetTools, removeApprovals, removeEffects } from './mcp/queries-mcp.ts'

const BASE = '/v2/api/external'

/** Server part of the feature `api-service`: API keys for programs, and the external API (decision 0326). */
export const apiServiceFeature: Feature = {
  name: 'api-service',
  titles: { apiKeys: 'Chaves da API', mcpApprovals: 'Aprovações de ferramentas' },
  errors,
  permissions,
  plan,
  routes: [...keyRoutes, ...approvalRoutes],
  encryptedWith: keysOfApiKeys,
  attach(platform, parts) {
    const { http, routes } = parts
    if (!plays(platform.env, 'web')) return
    const byName = new Map(routes.map((route) => [route.op.name, route]))
    for (const one of externalPaths) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = await answerExternal(platform, byName, one, request, reply)
        return reply.header('cache-control', 'no-store').send(answer)
      }
      http.route({ method: one.method, url: `${BASE}/:apiId${one.path === '/' ? '' : one.path}`, handler })
    }
    serveTools(platform, parts)
    let document: object | undefined
    http.get(`${BASE}/openapi.json`, (_, reply) => {
      document ??= externalDocument(platform.version)
      return reply.send(document)
    })
  },
}
