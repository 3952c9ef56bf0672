import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startProduct } from '#test/server.ts'

const lineTo = async (address: string) => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('a connection that was opened ahead of need does not hold up the end, and an answer under way is given', async () => {
  const product = await startProduct()
  const silent = await lineTo(product.address)
  const asked = await lineTo(product.address)
  asked.write('GET /ready HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await once(asked, 'data') // kept alive, and quiet again
  const slow = await lineTo(product.address)
  const body = '{"email":"ninguem@teste.dev","password":"nada"}'
  slow.write(
    `POST /api/auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  let answer = ''
  slow.on('data', (part) => {
    answer += part
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const closed = product.close()
  const ends = [silent, asked].map((socket) => once(socket.resume(), 'close'))
  await Promise.all(ends)
  slow.write(body)
  await once(slow, 'close')
  expect(answer).toMatch(/ERROR_NO_PERMISSION_API_ADMIN/)
  await closed
})
