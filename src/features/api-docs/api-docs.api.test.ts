import { expect, test } from 'vitest'
import { allRoutes } from '#server/app.ts'
import { features } from '#server/features.ts'
import { withProduct } from '#test/server.ts'

const product = withProduct()

test('the address that documentation names leads to the screen, and nothing lies below it', async () => {
  const reply = await fetch(`${product().address}/api/docs`, { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/api-referencia'])
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'package.json', '..%2f..%2fpackage.json'])
    expect((await fetch(`${product().address}/api/docs/${name}`)).status).toBe(404)
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

test('every subject has its name, and every operation says in Portuguese what it does', () => {
  for (const { name, routes = [], titles = {} } of features)
    expect(Object.keys(titles).sort(), name).toEqual([...new Set(routes.map(({ op }) => op.family))].sort())
  const english = /\b(the|and|of|with|list|get|create|delete|update|user|users|return|returns)\b/i
  const wrong = allRoutes().filter(({ op }) => !op.summary.trim() || english.test(op.summary))
  expect(wrong.map(({ op }) => `${op.name}: ${op.summary}`)).toEqual([])
})
