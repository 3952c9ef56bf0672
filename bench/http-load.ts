import { Agent, request } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { closedLoop, type Measure } from './loop.ts'

type Task = { address: string; paths: string[]; token: string; clients: number }

/** Measures GETs from a thread of their own over keep-alive connections; every answer has to be a 200. */
export function httpLoad(task: Task): Promise<Measure> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

if (parentPort) {
  const { address, paths, token, clients } = workerData as Task
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let next = 0
  const get = () =>
    new Promise<void>((resolve, reject) => {
      const path = paths[next++ % paths.length]!
      request(`${address}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.on('data', () => {})
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        )
      })
        .on('error', reject)
        .end()
    })
  const measure = await closedLoop(clients, get)
  agent.destroy()
  parentPort.postMessage(measure)
}
