import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './steps.mjs'

// The page reloads through Vite on PORT, the server restarts on PORT + 1 when one of its files changes.
const port = Number(process.env.PORT ?? 3000)
const host = process.env.HOST ?? '127.0.0.1'
const target = `http://${host}:${port + 1}`
const served = ['/api', '/socket.io', '/health', '/ready', '/metrics', '/widget']

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: String(port + 1), PUBLIC_URL: process.env.PUBLIC_URL ?? `http://${host}:${port}` },
})
const web = await createServer({
  configFile: 'vite.config.ts',
  server: {
    host,
    port,
    strictPort: true,
    proxy: Object.fromEntries(served.map((path) => [path, { target, ws: true, changeOrigin: false }])),
  },
})
let stopping = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (!stopping) server.kill('SIGTERM')
    stopping = true
  })
}
server.once('exit', async (code) => {
  await web.close()
  process.exit(code ?? 0)
})

while (
  !(await fetch(`${target}/ready`).then(
    (answer) => answer.ok,
    () => false,
  ))
) {
  await new Promise((resolve) => setTimeout(resolve, 200))
}
await web.listen()
web.printUrls()
