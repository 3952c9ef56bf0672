import { arrange, type Drawing } from './arrange.ts'

// Arranges apart from the page, which goes on meanwhile.
addEventListener('message', ({ data }: MessageEvent<Drawing>) => postMessage(arrange(data)))
