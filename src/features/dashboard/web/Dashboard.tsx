import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FIGURES, type FigureList, listOfPerson } from '#domain/tickets/figures.ts'
import { sentence } from '#web/api.ts'
import { formatNumber, formatSpan, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useNow } from '#web/ui/use-now.ts'
import type { LiveFigures } from '../contract.ts'
import { ByQueue } from './ByQueue.tsx'
import css from './dashboard.module.css'
import { useFigures } from './live.ts'
import { Rows } from './Rows.tsx'

function Figure(props: {
  label: string
  value: number
  note: ReactNode
  tone?: 'warn'
  rows?: FigureList
  isWide: boolean
}) {
  const { label, value, note, tone, rows, isWide } = props
  const figure = (
    <>
      <span>{label}</span>
      <b>{formatNumber(value)}</b>
    </>
  )
  return (
    <div className={css.figure}>
      {rows ? (
        <Rows of={rows} isWide={isWide} className={css.main}>
          {figure}
        </Rows>
      ) : (
        <p className={css.main}>{figure}</p>
      )}
      <small data-tone={tone}>{note}</small>
    </div>
  )
}

function Figures({ figures }: { figures: LiveFigures }) {
  const now = useNow()
  const { longestWait, isWide } = figures
  const waitingNote = longestWait ? (
    <Link to={`/atendimento/${longestWait.ticketId}` as never}>
      {t('maior espera: {value}', {
        value: formatSpan(now - longestWait.since).replace(t('agora'), t('menos de 1 min')),
      })}
    </Link>
  ) : (
    t('ninguém espera')
  )
  return (
    <section className={css.figures} aria-label={t('Agora e hoje')}>
      <Figure
        label={t('Em atendimento')}
        value={figures.open}
        note={t('conversas abertas')}
        rows={FIGURES.open}
        isWide={isWide}
      />
      <Figure
        label={t('Pendentes')}
        value={figures.pending}
        note={t('à espera de alguém')}
        rows={FIGURES.pending}
        isWide={isWide}
      />
      <Figure
        label={t('Esperando por nós')}
        value={figures.waiting}
        note={waitingNote}
        {...(longestWait ? { tone: 'warn' as const } : {})}
        rows={FIGURES.waiting}
        isWide={isWide}
      />
      <Figure
        label={t('Resolvidos hoje')}
        value={figures.closedToday}
        note={t('desde a meia-noite')}
        rows={FIGURES.closedToday}
        isWide={isWide}
      />
      <Figure
        label={t('Mensagens recebidas')}
        value={figures.receivedToday}
        note={t('hoje, de clientes')}
        isWide={isWide}
      />
      <Figure
        label={t('Mensagens enviadas')}
        value={figures.sentToday}
        note={t('hoje, aceitas pelo canal')}
        isWide={isWide}
      />
    </section>
  )
}

function Online({ figures }: { figures: LiveFigures }) {
  const { online, onlineCount } = figures
  if (onlineCount === 0) return <p className={css.none}>{t('Ninguém está online agora.')}</p>
  return (
    <ul className={css.people}>
      {online.map((person) => (
        <li key={person.id}>
          <Avatar id={person.id} name={person.name} size={34} status="online" />
          <span className="g-cut">{person.name}</span>
          {person.open !== null && (
            <Rows of={listOfPerson(person.id)} isWide={figures.isWide} className={css.load}>
              {person.open === 0 ? 'livre' : `atendendo ${formatNumber(person.open)}`}
            </Rows>
          )}
        </li>
      ))}
      {onlineCount > online.length && (
        <li className={css.none}>
          {t('e mais {onlineCount}', { onlineCount: formatNumber(onlineCount - online.length) })}
        </li>
      )}
    </ul>
  )
}

/** The panel: what happens now and what has happened today, each number a way to its rows. */
export function Dashboard() {
  const { data, error, dataUpdatedAt, refetch } = useFigures()
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <Page>
      <PageHeader
        title={t('Painel de Controle')}
        facts={
          data &&
          t('Ao vivo · {what} · atualizado às {dataUpdatedAt}', {
            what: data.isWide ? t('a empresa inteira') : t('os atendimentos que você vê'),
            dataUpdatedAt: formatTime(dataUpdatedAt),
          })
        }
      />
      {!data && <SkeletonRows kind="card" rows={4} />}
      {data && (
        <>
          <Figures figures={data} />
          <div className={css.panels}>
            <ByQueue queues={data.queues} isWide={data.isWide} />
            <Card
              title={t('Equipe online')}
              actions={<span className={css.count}>{formatNumber(data.onlineCount)}</span>}
            >
              <Online figures={data} />
            </Card>
          </div>
        </>
      )}
    </Page>
  )
}
