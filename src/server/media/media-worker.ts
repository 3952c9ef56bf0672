import { parentPort, workerData } from 'node:worker_threads'
import { remux } from './films.ts'
import { makeVoice } from './voice.ts'

// Converts one file in a thread, so that other requests do not wait for it. A failure ends the thread.
const { work, from, to }: { work: keyof typeof works; from: string; to: string } = workerData
const works = { voice: makeVoice, mp4: remux }
parentPort!.postMessage(await works[work](from, to))
