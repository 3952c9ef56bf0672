import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { type LineState, lineState } from '#web/realtime/realtime.ts'
import { clearSocketLog, exportSocketLog, onSocketLog, socketLog } from '#web/realtime/socket-log.ts'
import { type WorkerState, workerState } from '#web/start/service-worker.ts'
import { Pill, type Tone } from '#web/ui/identity/bits.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import css from './devices.module.css'

const shown = 12

const lines: Record<LineState, { tone: Tone; text: string }> = {
  opening: { tone: 'warn', text: 'Conectando' },
  open: { tone: 'pos', text: 'Conectado' },
  closed: { tone: 'neg', text: 'Desconectado' },
  'given-up': { tone: 'neg', text: 'Sem resposta do servidor' },
}

const workers: Record<WorkerState, string> = {
  none: 'Este navegador não guarda a interface para uso sem internet.',
  registered: 'A interface está sendo guardada para uso sem internet.',
  cached: 'A interface está guardada para uso sem internet.',
  ready: 'A interface está guardada para uso sem internet.',
  'update found': 'Uma nova versão está chegando.',
  updated: 'Uma nova versão chegou; a página recarrega quando nada se perder.',
  offline: 'Sem internet: a interface guardada está em uso.',
  error: 'A interface não pôde ser guardada para uso sem internet.',
}

const words: Record<string, string> = {
  'socket:opening': 'Conectando',
  'socket:open': 'Conectado',
  'socket:closed': 'Desconectado',
  'socket:given-up': 'Sem resposta depois de 20 tentativas',
  'transport close': 'A rede caiu',
  'transport error': 'A rede falhou',
  'ping timeout': 'O servidor ficou em silêncio',
  'parse error': 'Chegou algo que não se lê',
  timeout: 'A conexão demorou demais para abrir',
  'ack timeout': 'O servidor não confirmou a tempo',
  'authentication error': 'O servidor pediu para renovar a sessão',
  'io server disconnect': 'O servidor fechou a conexão',
  'io client disconnect': 'Esta página fechou a conexão',
  'xhr poll error': 'O servidor não foi encontrado',
  'websocket error': 'O servidor não foi encontrado',
}

function useLog() {
  const [log, setLog] = useState(socketLog)
  useEffect(() => onSocketLog(() => setLog(socketLog())), [])
  return log
}

/** What the line to the server went through in this browser: the state now, the latest entries, the whole as a file. */
export function SocketLogSection() {
  const log = useLog()
  const line = lines[lineState.use()]
  const worker = workerState.use()
  return (
    <Card title="Conexão deste navegador" actions={<Pill tone={line.tone}>{line.text}</Pill>}>
      <p className={css.about}>{workers[worker]}</p>
      {log.length === 0 ? (
        <p className={css.about}>Nada registrado ainda.</p>
      ) : (
        <ol className={css.log} aria-label="Registro da conexão">
          {log
            .slice(-shown)
            .reverse()
            .map(({ timestamp, event }, index) => (
              <li key={`${timestamp} ${index}`}>
                <time dateTime={new Date(timestamp).toISOString()}>{formatDateTime(timestamp)}</time>
                <span>{words[event] ?? event}</span>
                {words[event] && !event.startsWith('socket:') && <code>{event}</code>}
              </li>
            ))}
        </ol>
      )}
      <footer className={css.foot}>
        {log.length > 0 && (
          <>
            <span className={css.about}>
              {log.length === 1 ? '1 registro' : `${formatNumber(log.length)} registros`}
            </span>
            <Button variant="default" size="xs" onClick={exportSocketLog}>
              Exportar
            </Button>
            <Button variant="default" size="xs" onClick={clearSocketLog}>
              Limpar
            </Button>
          </>
        )}
      </footer>
    </Card>
  )
}
