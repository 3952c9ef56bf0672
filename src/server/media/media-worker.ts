import { parentPort, workerData } from 'node:worker_threads'
import { remux } from './films.ts'
import { makeVoice } from './voice.ts'

// One file, in a thread of its own: what others ask meanwhile does not wait for it. What fails ends the thread.
const { work, from, to }: { work: keyof typeof works; from: string; to: string } = workerData
const works = { voice: makeVoice, mp4: remux }
parentPort!.postMessage(await works[work](from, to))
