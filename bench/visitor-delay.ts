import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { io } from 'socket.io-client'
import { percentiles } from './loop.ts'
import { comeTo } from './visitor.ts'

const ROUNDS = 40

/** From the visitor's request to the agent's event, in ms: 95 of 100 first words, next words and pictures. */
export async function delaysOfVisitors(address: string, site: string, token: string) {
  const agent = io(address, { auth: { token }, transports: ['websocket'], forceNew: true })
  const waiting = new Map<string, () => void>()
  agent.onAny((_, event) =>
    waiting.get((event as { payload?: { message?: { body?: string } } }).payload?.message?.body ?? '')?.(),
  )
  await new Promise((resolve) => agent.once('connect', () => resolve(null)))
  const picture = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#6e2a5c' } })
    .png()
    .toBuffer()
  const { visitorToken, write } = await comeTo(address, site)
  const show = (caption: string) => {
    const form = new FormData()
    form.append('idFront', randomUUID())
    form.append('caption', caption)
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'foto.png')
    const headers = { authorization: `Bearer ${visitorToken}` }
    return fetch(`${address}/api/webchat/upload`, { method: 'POST', headers, body: form })
  }
  const delayOf = async (name: string, send: (text: string) => Promise<unknown>) => {
    const delays: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const received = new Promise<void>((resolve) => waiting.set(`${name} ${n}`, resolve))
      const began = performance.now()
      const sent = send(`${name} ${n}`)
      await received
      delays.push(performance.now() - began)
      await sent
    }
    return percentiles(delays).p95
  }
  const webchatNext = await delayOf('next', write)
  const webchatPicture = await delayOf('picture', show)
  const webchatFirst = await delayOf('first', async (text) => (await comeTo(address, site)).write(text))
  agent.close()
  return { webchatFirst, webchatNext, webchatPicture }
}
