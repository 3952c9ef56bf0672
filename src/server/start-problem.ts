import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textFieldIn } from '#domain/keys.ts'
import type { Env } from './env.ts'

/** Creates the data folder and checks that it is writable; throws the system's error. */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const probe = join(dataDir, `.${randomUUID()}`)
  try {
    writeFileSync(probe, Buffer.alloc(8192), { flush: true })
  } finally {
    rmSync(probe, { force: true })
  }
}

/** Formats an error at the start as a Portuguese sentence that says what to do; our own errors are such sentences. */
export function startProblem(error: unknown, env: Pick<Env, 'HOST' | 'PORT' | 'DATA_DIR'>): string {
  const [message, code] = [textFieldIn(error, 'message'), textFieldIn(error, 'code')]
  const [path, syscall] = [textFieldIn(error, 'path'), textFieldIn(error, 'syscall')]
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|disk quota exceeded/i.test(message))
    return `Não há espaço no disco da pasta ${env.DATA_DIR}: libere espaço e inicie de novo.`
  if (syscall === 'listen' || syscall === 'bind' || (syscall === 'getaddrinfo' && message.includes(env.HOST)))
    return listenProblem(code, env)
  if (path) return fileProblem(code, path, env)
  const first = message.trim().split('\n')[0] ?? ''
  // Errors of the database have a code of five characters.
  if (/^[0-9A-Z]{5}$/.test(code)) return `O PostgreSQL recusou um passo do início (${code}: ${first}).`
  return first
}

function listenProblem(code: string, { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): string {
  if (code === 'EADDRINUSE')
    return `A porta ${PORT} de ${HOST} já está em uso: encerre o outro programa ou escolha outra com PORT.`
  if (code === 'EACCES') return `A porta ${PORT} pede privilégios: escolha uma acima de 1023 com PORT.`
  return `O endereço "${HOST}" não é desta máquina: indique um dela com HOST.`
}

function fileProblem(code: string, path: string, { DATA_DIR }: Pick<Env, 'DATA_DIR'>): string {
  const instead = 'ou escolha outra pasta com DATA_DIR'
  const own = path.startsWith(DATA_DIR) ? DATA_DIR : path
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `O usuário ${process.getuid?.()} não pode ler e escrever em ${own}: dê-lhe esse direito ${instead}.`
    case 'EROFS':
      return `O disco de ${own} só pode ser lido: torne-o gravável ${instead}.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `Onde deveria estar a pasta ${own} há um arquivo: tire-o de lá ${instead}.`
    default:
      return `${path} não pôde ser usado (${code}): confira o disco e os direitos, ${instead}.`
  }
}
