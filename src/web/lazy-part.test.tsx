import { Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { lazyPart } from './lazy-part.ts'

const Hello = () => <b>Olá</b>
const drawn = (Part: ReturnType<typeof lazyPart<typeof Hello>>) =>
  renderToString(
    <Suspense fallback={<i>…</i>}>
      <Part />
    </Suspense>,
  )

test('a part whose code is on its way leaves its place to what stands there meanwhile', () => {
  const html = drawn(lazyPart(async () => Hello))
  expect(html).toContain('<i>…</i>')
  expect(html).not.toContain('Olá')
})

test('a part that was brought before is drawn at once', async () => {
  const Part = lazyPart(async () => Hello)
  await Part.preload()
  const html = drawn(Part)
  expect(html).toContain('<b>Olá</b>')
  expect(html).not.toContain('<i>')
})

test('one that could not be brought says so, and is asked for again when it is drawn', async () => {
  let asked = 0
  const Part = lazyPart(async () => {
    asked++
    if (asked === 1) throw new TypeError('Failed to fetch')
    return Hello
  })
  await expect(Part.preload()).rejects.toThrow('Failed to fetch')
  expect(drawn(Part)).toContain('<i>…</i>')
  expect(asked).toBe(2)
})
