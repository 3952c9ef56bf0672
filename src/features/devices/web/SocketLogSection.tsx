import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { type ConnectionState, connectionState } from '#web/realtime/realtime.ts'
import { clearSocketLog, exportSocketLog, onSocketLog, socketLog } from '#web/realtime/socket-log.ts'
import { type WorkerState, workerState } from '#web/start/service-worker.ts'
import { t } from '#web/t.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import css from './devices.module.css'

const shown = 12

const states: Record<ConnectionState, { tone: Tone; text: string }> = {
  opening: { tone: 'warn', text: t('Conectando') },
  open: { tone: 'pos', text: t('Conectado') },
  closed: { tone: 'neg', text: t('Desconectado') },
  'given-up': { tone: 'neg', text: t('Sem resposta do servidor') },
}

const workers: Record<WorkerState, string> = {
  none: t('Este navegador não guarda a interface para uso sem internet.'),
  registered: t('A interface está sendo guardada para uso sem internet.'),
  cached: t('A interface está guardada para uso sem internet.'),
  ready: t('A interface está guardada para uso sem internet.'),
  'update found': t('Uma nova versão está chegando.'),
  updated: t('Uma nova versão chegou; a página recarrega quando nada se perder.'),
  offline: t('Sem internet: a interface guardada está em uso.'),
  error: t('A interface não pôde ser guardada para uso sem internet.'),
}

const labels: Record<string, string> = {
  'socket:opening': t('Conectando'),
  'socket:open': t('Conectado'),
  'socket:closed': t('Desconectado'),
  'socket:given-up': t('Sem resposta depois de 20 tentativas'),
  'transport close': t('A rede caiu'),
  'transport error': t('A rede falhou'),
  'ping timeout': t('O servidor ficou em silêncio'),
  'parse error': t('Chegou algo que não se lê'),
  timeout: t('A conexão demorou demais para abrir'),
  'ack timeout': t('O servidor não confirmou a tempo'),
  'authentication error': t('O servidor pediu para renovar a sessão'),
  'io server disconnect': t('O servidor fechou a conexão'),
  'io client disconnect': t('Esta página fechou a conexão'),
  'xhr poll error': t('O servidor não foi encontrado'),
  'websocket error': t('O servidor não foi encontrado'),
}

function useLog() {
  const [log, setLog] = useState(socketLog)
  useEffect(() => onSocketLog(() => setLog(socketLog())), [])
  return log
}

/** Section with this browser's socket log: present state, latest entries, download. */
export function SocketLogSection() {
  const log = useLog()
  const state = states[connectionState.use()]
  const worker = workerState.use()
  return (
    <Card title={t('Conexão deste navegador')} actions={<Pill tone={state.tone}>{state.text}</Pill>}>
      <p className="g-help">{workers[worker]}</p>
      {log.length === 0 ? (
        <p className="g-help">{t('Nada registrado ainda.')}</p>
      ) : (
        <ol className={css.log} aria-label={t('Registro da conexão')}>
          {log
            .slice(-shown)
            .reverse()
            .map(({ timestamp, event }, index) => (
              <li key={`${timestamp} ${index}`}>
                <time dateTime={new Date(timestamp).toISOString()}>{formatDateTime(timestamp)}</time>
                <span>{labels[event] ?? event}</span>
                {labels[event] && !event.startsWith('socket:') && <code>{event}</code>}
              </li>
            ))}
        </ol>
      )}
      <footer className={css.footer}>
        {log.length > 0 && (
          <>
            <span className="g-help">
              {log.length === 1 ? t('1 registro') : t('{count} registros', { count: formatNumber(log.length) })}
            </span>
            <Button variant="default" size="xs" onClick={exportSocketLog}>
              {t('Exportar')}
            </Button>
            <Button variant="default" size="xs" onClick={clearSocketLog}>
              {t('Limpar')}
            </Button>
          </>
        )}
      </footer>
    </Card>
  )
}
