import { randomUUID } from 'node:crypto'
import type { VisitorSession } from '#features/webchat/contract.ts'

/** Opens a webchat session on a site; returns the visitor's token and a function that writes. */
export async function comeTo(address: string, site: string) {
  const { visitorToken } = await ask<VisitorSession>(`${address}/api/webchat/session`, { token: site })
  const write = (text: string) => ask(`${address}/api/webchat/messages`, { idFront: randomUUID(), text }, visitorToken)
  return { visitorToken, write }
}

/** Sends a POST request with an optional token; returns the JSON response, throws unless its status is 2xx. */
export async function ask<T>(url: string, body: object, token = ''): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
