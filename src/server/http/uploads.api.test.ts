import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { flows } from '#features/flows/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
const MB = 1024 * 1024

it('a connection takes its next request once the rest of a refused form has come', async () => {
  const m = make(product().platform)
  const token = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  const { id } = (await call(product(), flows.create, token, { body: { name: 'Recepção' } })).body
  const begin = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const end = '\r\n--edge--\r\n'
  const most = flows.addMedia.upload.maxBytes
  const socket = connect(Number(new URL(product().address).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  const about = `host: localhost\r\nauthorization: Bearer ${token}\r\n`
  const length = begin.length + most + 2 * MB + end.length
  socket.write(
    `POST /api/chat-flow/${id}/media HTTP/1.1\r\n${about}content-type: multipart/form-data; boundary=edge\r\ncontent-length: ${length}\r\n\r\n${begin}`,
  )
  socket.write(Buffer.alloc(most + MB, 'x'))
  await until(() => received.includes('HTTP/1.1 413'))
  socket.write(Buffer.alloc(MB, 'x'))
  socket.write(`${end}GET /api/chat-flow/${id} HTTP/1.1\r\n${about}\r\n`)
  await until(() => received.includes('HTTP/1.1 200'))
  expect(received.split('HTTP/1.1 ')).toHaveLength(3)
  socket.destroy()
})
