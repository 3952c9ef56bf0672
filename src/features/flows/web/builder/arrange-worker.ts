import { arrange, type Drawing } from './arrange.ts'

// Runs the layout off the main thread.
addEventListener('message', ({ data }: MessageEvent<Drawing>) => postMessage(arrange(data)))
