import { Agent, request } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { closedLoop, type Measure, round } from './loop.ts'

/** One request to the product; a body makes it a PUT, a text that is signed a POST as a provider makes it. */
export type Step = { path: string; body?: object | string; signature?: string }

/** Operations that are repeated, each of one or more requests, one after the other. */
export type Load = {
  address: string
  operations: readonly (readonly Step[])[]
  token: string
  clients: number
  /** Duration in ms of a single round without a warm-up. */
  onlyMs?: number
}
/** Result of a load: `operations` counts requests, `bytes` the responses without headers. */
type Loaded = Measure & { operations: number; bytes: number }

/** Measures operations from a separate thread over keep-alive connections; every response has to be a 200. */
export function httpLoad(load: Load): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

if (parentPort) {
  const { address, operations, token, clients, onlyMs } = workerData as Load
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let next = 0
  let bytes = 0
  const ask = ({ path, body, signature }: Step) =>
    new Promise<void>((resolve, reject) => {
      const who = signature ? { 'x-hub-signature-256': signature } : { authorization: `Bearer ${token}` }
      const headers = { ...who, ...(body ? { 'content-type': 'application/json' } : {}) }
      const method = signature ? 'POST' : body ? 'PUT' : 'GET'
      request(`${address}${path}`, { agent, headers, method }, (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        )
      })
        .on('error', reject)
        .end(typeof body === 'object' ? JSON.stringify(body) : body)
    })
  const work = async () => {
    for (const step of operations[next++ % operations.length]!) await ask(step)
  }
  const measure = await (onlyMs ? round(clients, work, onlyMs) : closedLoop(clients, work))
  agent.destroy()
  parentPort.postMessage({ ...measure, operations: next, bytes } satisfies Loaded)
}
