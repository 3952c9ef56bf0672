import { expect, test } from 'vitest'
import { allRoutes } from '#server/app.ts'
import { withProduct } from '#test/server.ts'

const product = withProduct()

test('the page runs nothing without its nonce and names no other origin', async () => {
  const reply = await fetch(`${product().address}/api/docs`)
  const html = await reply.text()
  const policy = reply.headers.get('content-security-policy')!
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1]
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  const tags = [...html.matchAll(/<(?:script|style|link rel="stylesheet")[^>]*>/g)].map(([tag]) => tag)
  expect(tags).toHaveLength(4)
  for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
  expect(html).not.toMatch(/https?:\/\/|%NONCE%/)
  expect(await (await fetch(`${product().address}/api/docs`)).text()).not.toBe(html)
})

test.each([
  ['swagger-ui.css', 'text/css', '.swagger-ui'],
  ['swagger-ui-bundle.js', 'text/javascript', 'SwaggerUIBundle'],
])('%s comes packed from our own origin', async (name, type, part) => {
  const reply = await fetch(`${product().address}/api/docs/${name}`)
  expect(reply.headers.get('content-type')).toContain(type)
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(await reply.text()).toContain(part)
})

test('nothing else of the package is served', async () => {
  for (const name of ['package.json', 'swagger-initializer.js', '..%2f..%2fpackage.json']) {
    expect((await fetch(`${product().address}/api/docs/${name}`)).status).toBe(404)
  }
})

test('the document that it reads names every operation once', async () => {
  const { paths } = (await (await fetch(`${product().address}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const named = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(named.sort()).toEqual(
    allRoutes()
      .map(({ op }) => op.name)
      .sort(),
  )
})
