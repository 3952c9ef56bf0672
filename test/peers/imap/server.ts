import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'
import { type Folder, found, imapDate, ofSet, put } from './store.ts'

/** Configuration of a mailbox: login, transport security and server capabilities. */
export type ImapBehaviour = {
  user?: string
  password?: string
  /** Tokens accepted with XOAUTH2, instead of a password. */
  tokens?: { has(token: string): boolean }
  security?: 'none' | 'starttls' | 'tls'
  /** Whether it supports IDLE; without it, it sends nothing unasked. */
  canIdle?: boolean
  /** Additional capabilities that the server announces. */
  capabilities?: readonly string[]
  now?: () => Date
}

type Session = {
  stream: Socket
  folder: Folder | null
  known: number
  /** Tag of the unfinished command: IDLE, or a login that waits for its second half. */
  idle: string | null
  login: { tag: string; mechanism: string } | null
  isIn: boolean
}

/**
 * Starts a mailbox on this machine with IMAP4rev1 (RFC 3501, IDLE, SPECIAL-USE), as far as a client needs it that only
 * reads, and appends to the sent mails. Commands that would change the mailbox are recorded in `changes`.
 */
export async function startImap(behaviour: ImapBehaviour = {}) {
  const state = {
    user: 'contato@loja.example',
    password: 'segredo',
    security: 'none',
    canIdle: true,
    now: () => new Date(),
    ...behaviour,
  }
  const folders: Folder[] = [
    { path: 'INBOX', use: null, validity: 1, next: 1, mails: [] },
    { path: 'Enviados', use: '\\Sent', validity: 1, next: 1, mails: [] },
  ]
  const sessions = new Set<Session>()
  const sockets = new Set<Socket>()
  const changes: string[] = []
  const commands: string[] = []
  const logins: boolean[] = []
  const faults = { cutWithin: 0, busy: false, silent: false }

  const folderOf = (path: string) => folders.find((one) => one.path.toUpperCase() === path.toUpperCase())
  const canDo = () => [
    ...['IMAP4rev1', 'SPECIAL-USE', 'LITERAL+', 'AUTH=PLAIN', ...(state.tokens ? ['AUTH=XOAUTH2', 'SASL-IR'] : [])],
    ...(state.canIdle ? ['IDLE'] : []),
    ...(state.security === 'starttls' ? ['STARTTLS'] : []),
    ...(state.capabilities ?? []),
  ]

  function isRight(mechanism: string, answer: string): boolean {
    const given = Buffer.from(answer, 'base64').toString('utf8')
    const [, user, token] = given.match(/^user=(.*)\x01auth=Bearer (.*)\x01\x01$/) ?? []
    if (mechanism === 'XOAUTH2') return user === state.user && Boolean(state.tokens?.has(token!))
    return given === `\0${state.user}\0${state.password}`
  }

  function serve(socket: Socket, isSafe: boolean) {
    const session: Session = { stream: socket, folder: null, known: 0, idle: null, login: null, isIn: false }
    sessions.add(session)
    let buffer = Buffer.alloc(0)
    let pending: { text: string; literals: Buffer[]; missing: number } | null = null
    const listen = (stream: Socket) => {
      sockets.add(stream)
      stream.on('error', () => {})
      stream.on('close', () => {
        sockets.delete(stream)
        sessions.delete(session)
      })
      stream.on('data', (chunk: Buffer) => {
        buffer = Buffer.concat([buffer, chunk])
        read()
      })
    }
    const write = (text: string) => session.stream.write(`${text}\r\n`)

    function read() {
      for (;;) {
        if (pending && pending.missing > 0) {
          if (buffer.length < pending.missing) return
          pending.literals.push(buffer.subarray(0, pending.missing))
          buffer = buffer.subarray(pending.missing)
          pending.missing = 0
        }
        const end = buffer.indexOf('\r\n')
        if (end < 0) return
        const row = buffer.subarray(0, end).toString('latin1')
        buffer = buffer.subarray(end + 2)
        const command = { text: (pending?.text ?? '') + row, literals: pending?.literals ?? [] }
        const literal = row.match(/\{(\d+)(\+?)\}$/)
        if (literal) {
          pending = { ...command, missing: Number(literal[1]) }
          if (!literal[2]) write('+ go on')
          continue
        }
        pending = null
        answer(command.text, command.literals)
      }
    }

    function answer(text: string, literals: Buffer[]) {
      if (faults.silent) return
      if (session.idle !== null && /^done$/i.test(text)) {
        write(`${session.idle} OK idle is over`)
        session.idle = null
        return
      }
      if (session.login !== null) {
        const { tag, mechanism } = session.login
        session.login = null
        return enter(tag, isRight(mechanism, text))
      }
      const [tag = '*', ...rest] = text.split(' ')
      const isUid = rest[0]?.toUpperCase() === 'UID'
      const name = (isUid ? rest[1] : rest[0])?.toUpperCase() ?? ''
      const about = rest.slice(isUid ? 2 : 1).join(' ')
      commands.push(`${isUid ? 'UID ' : ''}${name}`)
      const ok = (say = 'done') => write(`${tag} OK ${say}`)
      const no = (say: string) => write(`${tag} NO ${say}`)
      const part = (index: number) => {
        const all = [...about.matchAll(/"((?:[^"\\]|\\.)*)"|\{(\d+)\+?\}|([^\s"()]+)/g)]
        let literal = 0
        return all.map((one) => (one[2] ? literals[literal++]!.toString('utf8') : (one[1] ?? one[3]!)))[index] ?? ''
      }
      switch (name) {
        case 'CAPABILITY':
          write(`* CAPABILITY ${canDo().join(' ')}`)
          return ok()
        case 'STARTTLS': {
          ok('begin')
          socket.removeAllListeners('data')
          const secure = new TLSSocket(socket, {
            isServer: true,
            secureContext: createSecureContext({ cert: certificate, key: certificateKey }),
          })
          session.stream = secure
          return listen(secure)
        }
        case 'LOGIN':
          return enter(tag, part(0) === state.user && part(1) === state.password)
        case 'AUTHENTICATE': {
          const mechanism = part(0).toUpperCase()
          if (part(1)) return enter(tag, isRight(mechanism, part(1)))
          session.login = { tag, mechanism }
          return write('+ ')
        }
        case 'LOGOUT':
          write('* BYE')
          ok()
          return void session.stream.end()
        case 'ID':
          write('* ID NIL')
          return ok()
        case 'NOOP':
          announce(session)
          return ok()
        case 'IDLE':
          if (!state.canIdle) return write(`${tag} BAD no`)
          write('+ idling')
          session.idle = tag
          return announce(session)
        default:
      }
      if (!session.isIn) return no('log in')
      switch (name) {
        case 'LIST':
        case 'LSUB':
        case 'XLIST':
          // An empty pattern asks for the separator of paths.
          if (part(1) === '' && part(0) === '') write(`* LIST (\\Noselect) "/" ""`)
          else for (const { path, use } of folders) write(`* ${name} (${use ?? ''}) "/" "${path}"`)
          return ok()
        case 'NAMESPACE':
          write('* NAMESPACE (("" "/")) NIL NIL')
          return ok()
        case 'EXAMINE':
        case 'SELECT': {
          const folder = folderOf(part(0))
          if (!folder) return no('no such folder')
          if (name === 'SELECT') changes.push(`SELECT ${folder.path}`)
          session.folder = folder
          session.known = folder.mails.length
          write(`* ${folder.mails.length} EXISTS`)
          write('* 0 RECENT')
          write('* FLAGS (\\Seen \\Answered)')
          write(`* OK [UIDVALIDITY ${folder.validity}] valid`)
          write(`* OK [UIDNEXT ${folder.next}] next`)
          return ok(name === 'EXAMINE' ? '[READ-ONLY] done' : '[READ-WRITE] done')
        }
        case 'APPEND': {
          const folder = folderOf(part(0))
          if (!folder) return no('[TRYCREATE] no such folder')
          const flags = about.match(/\(([^)]*)\)/)?.[1]?.split(' ') ?? []
          put(folder, literals.at(-1)!, { at: state.now(), flags })
          return ok()
        }
        case 'SEARCH': {
          const query = literals.reduce(
            (text, literal) => text.replace(/\{\d+\+?\}/, literal.toString('latin1')),
            about,
          )
          const mails = session.folder ? found(session.folder, query) : []
          write(`* SEARCH${mails.map(({ uid }) => ` ${uid}`).join('')}`)
          return ok()
        }
        case 'FETCH':
          if (session.folder) give(session, session.folder, about)
          return session.stream.destroyed ? undefined : ok()
        case 'CLOSE':
        case 'UNSELECT':
          session.folder = null
          return ok()
        case 'ENABLE':
        case 'STATUS':
          return ok()
        default:
          changes.push(name)
          return write(`${tag} BAD ${name}`)
      }
    }

    function enter(tag: string, isKnown: boolean) {
      logins.push(isKnown && !faults.busy)
      if (faults.busy) return write(`${tag} NO [UNAVAILABLE] too many connections`)
      if (!isKnown) return write(`${tag} NO [AUTHENTICATIONFAILED] no`)
      session.isIn = true
      return write(`${tag} OK welcome`)
    }

    function give({ stream }: Session, folder: Folder, about: string) {
      const [, set = '', items = ''] = about.match(/^(\S+) (.*)$/) ?? []
      const partial = items.match(/BODY(\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/i)
      for (const mail of ofSet(folder, set)) {
        if (partial && !partial[1]) changes.push(`BODY[] ${mail.uid}`)
        const values = [`UID ${mail.uid}`]
        if (/RFC822\.SIZE/i.test(items)) values.push(`RFC822.SIZE ${mail.claims ?? mail.source.length}`)
        if (/INTERNALDATE/i.test(items)) values.push(`INTERNALDATE "${imapDate(mail.at)}"`)
        if (/FLAGS/i.test(items)) values.push(`FLAGS (${[...mail.flags].join(' ')})`)
        const start = `* ${folder.mails.indexOf(mail) + 1} FETCH (${values.join(' ')}`
        if (!partial) {
          stream.write(`${start})\r\n`)
          continue
        }
        const [from, length] = [Number(partial[2] ?? 0), Number(partial[3] ?? Number.MAX_SAFE_INTEGER)]
        const bytes = mail.source.subarray(from, from + length)
        stream.write(`${start} BODY[]${partial[2] === undefined ? '' : `<${from}>`} {${bytes.length}}\r\n`)
        if (faults.cutWithin > 0) {
          faults.cutWithin--
          stream.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
          return void stream.destroySoon()
        }
        stream.write(bytes)
        stream.write(')\r\n')
      }
    }

    listen(socket)
    write(`* OK [CAPABILITY ${canDo().join(' ')}] ${isSafe ? 'safe' : 'ready'}`)
  }

  function announce(session: Session) {
    const { folder, known } = session
    if (!folder || folder.mails.length === known) return
    session.known = folder.mails.length
    session.stream.write(`* ${folder.mails.length} EXISTS\r\n`)
  }

  const server =
    state.security === 'tls'
      ? createTlsServer({ cert: certificate, key: certificateKey }, (socket) => serve(socket, true))
      : createServer((socket) => serve(socket, false))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const [inbox, sent] = folders as [Folder, Folder]
  return {
    port: (server.address() as AddressInfo).port,
    ...{ state, inbox, sent, folders, changes, commands, logins, faults },
    /** Delivers a mail to the inbox and notifies idle sessions. */
    deliver(source: Buffer | string, about: { at?: Date } = {}) {
      const mail = put(inbox, Buffer.from(source as Buffer), { at: state.now(), ...about })
      for (const session of sessions) if (session.idle !== null && session.folder === inbox) announce(session)
      return mail
    },
    /** A mail lies in another folder. */
    deliverTo: (folder: Folder, source: Buffer | string) =>
      put(folder, Buffer.from(source as Buffer), { at: state.now() }),
    /** Returns the number of open connections, and of idle ones. */
    sessions: () => ({ open: sessions.size, idle: [...sessions].filter(({ idle }) => idle !== null).length }),
    /** Cuts every connection. */
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => void server.close(() => done()))
    },
  }
}

/** A mailbox of a test. */
export type ImapPeer = Awaited<ReturnType<typeof startImap>>
