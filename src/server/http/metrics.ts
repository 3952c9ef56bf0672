import type { FastifyRequest } from 'fastify'
import { isSameText } from '../secrets.ts'

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/**
 * Whether somebody may read what the process measures: with the token where one is set, else from this machine alone. What
 * a proxy on this machine passes on is not from here, whether the proxy is trusted or not.
 */
export function mayReadMetrics(request: Pick<FastifyRequest, 'ip' | 'headers'>, token: string | undefined): boolean {
  const { authorization = '', forwarded } = request.headers
  if (token) return isSameText(authorization, `Bearer ${token}`)
  return LOOPBACK.includes(request.ip) && !forwarded && !request.headers['x-forwarded-for']
}
