import { useEffect, useRef } from 'react'
import { plural, t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import css from './lab.module.css'
import type { Log, Tally } from './log.ts'

const clock = new Intl.DateTimeFormat('pt-BR', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

const sum = (count: number, none: string, one: string, many: string) => (count === 0 ? none : plural(count, one, many))

function summary({ sent, lost, repeated }: Tally): string {
  return [
    plural(sent, t('mensagem'), t('mensagens')),
    sum(lost, t('nenhuma perdida'), t('perdida'), t('perdidas')),
    sum(repeated, t('nenhuma repetida'), t('repetida'), t('repetidas')),
  ].join(', ')
}

/** Log of each message's steps with measured times; a line of a ticket opens it beside the phones. */
export function LogPanel({ log, onTicket }: { log: Log; onTicket: (id: number) => void }) {
  const { steps, tally } = log.use()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (steps.length > 0) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [steps])
  return (
    <Card title={t('O que aconteceu')} actions={steps.length > 0 && <small>{summary(tally)}</small>}>
      {steps.length === 0 ? (
        <p className="g-help">{t('Envie algo de um telefone: cada passo aparece aqui, com o tempo que levou.')}</p>
      ) : (
        <ol ref={list} className={css.log}>
          {steps.map(({ id, at, who, text, ms, ticketId }) => (
            <li key={id} data-who={who}>
              <time>{clock.format(at)}</time>
              <span>{who}</span>
              {ticketId === undefined ? (
                <span className="g-cut">{text}</span>
              ) : (
                <button type="button" className="g-cut" onClick={() => onTicket(ticketId)}>
                  {text}
                </button>
              )}
              <span>{ms === null ? '—' : `${Math.max(0, Math.round(ms))} ms`}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
