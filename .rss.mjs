import { createRequire } from 'node:module'
const r=()=>process.memoryUsage().rss/1e6|0
globalThis.gc?.()
let last=r(); console.log('base',last)
for (const m of process.argv.slice(2)) { await import(m); globalThis.gc?.(); const n=r(); console.log(m, n-last); last=n }
