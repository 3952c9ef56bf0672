import type { FastifyRequest } from 'fastify'
import { isSameText } from '../secrets.ts'

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/**
 * Whether a request may read the metrics: with the token if one is set, else only from this machine. Requests forwarded
 * by a proxy on this machine do not count as local.
 */
export function mayReadMetrics(request: Pick<FastifyRequest, 'ip' | 'headers'>, token: string | undefined): boolean {
  const { authorization = '', forwarded } = request.headers
  if (token) return isSameText(authorization, `Bearer ${token}`)
  return LOOPBACK.includes(request.ip) && !forwarded && !request.headers['x-forwarded-for']
}
