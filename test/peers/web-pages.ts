import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Page = { body: string | Buffer; type?: string; status?: number; headers?: Record<string, string> }

/** Starts a website on this machine: pages by path, with a record of each request and its headers. */
export async function startWebPages(host = '127.0.0.1') {
  const pages = new Map<string, Page | ((response: ServerResponse) => void)>()
  const asked: { path: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    const page = pages.get(path)
    if (typeof page === 'function') return page(response)
    const {
      body,
      type = 'text/html; charset=utf-8',
      status = 200,
      headers = {},
    } = page ?? { body: 'nada', status: 404 }
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** Serves a page under a path, and returns its URL. */
    show(path: string, page: Page | ((response: ServerResponse) => void)): string {
      pages.set(path, page)
      return origin + path
    },
    /** Number of requests to a path. */
    times: (path: string): number => asked.filter((one) => one.path === path).length,
    asked,
    close(): Promise<void> {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
