import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A customer's site on a separate origin. */
export type ForeignSite = { readonly origin: string; readonly requests: readonly string[]; close(): Promise<void> }

/**
 * Serves a customer's page with the strictest policy that a webchat can work with: scripts and frames of the product's
 * origin only, no inline style, no connections, no markup from strings. `early` are calls made before our script has loaded;
 * they are in a script of the site itself.
 */
export async function openForeignSite(product: string, token: string, early = ''): Promise<ForeignSite> {
  const requests: string[] = []
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${product}`,
    `frame-src ${product}`,
    "style-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const page = `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Loja da Esquina</title></head>
<body>
<h1>Loja da Esquina</h1>
<p><a href="/outra">Outra página</a></p>
<script src="/site.js"></script>
<script async src="${product}/widget/guiche.js" data-token="${token}"></script>
</body>
</html>`
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const isScript = request.url === '/site.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(isScript ? `window.guiche = window.guiche || []\n${early}` : page)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
