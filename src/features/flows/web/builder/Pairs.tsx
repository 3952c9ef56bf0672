import { Button, Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { CaseIcon } from '#web/ui/icons.ts'
import { flows } from '../../addresses.ts'
import { flowReplays } from '../../insight-addresses.ts'
import bubble from './bubble.module.css'
import { nameIn } from './labels.tsx'
import { useNames } from './names.ts'
import css from './pairs.module.css'

export type Outcome = 'same' | 'words' | 'way' | 'end' | 'stuck'
type Pair = Answer<typeof flowReplays.pairs>['pairs'][number]

/** Real conversations beside their replay on the draft. */
export function Pairs(props: {
  id: number
  replayId: number
  outcome: Outcome
  title: string
  onCase: (results: Answer<typeof flows.runCases>) => void
  onClose: () => void
}) {
  const { id, replayId, outcome, title, onCase, onClose } = props
  const list = useInfiniteQuery({
    ...pages(flowReplays.pairs, { params: { id, replayId }, query: { outcome } }),
    staleTime: 0,
  })
  const { data, error, refetch } = list
  const pairs = data?.pages.flatMap((page) => page.pairs)
  const save = ({ ticketId, contactName }: Pair) =>
    attempt(async () => {
      const name = `${contactName} #${ticketId}`.slice(0, 100)
      await call(flows.caseOfTicket, { params: { id }, body: { name, ticketId } }, { quiet: true })
      onCase(await call(flows.runCases, { params: { id } }, { quiet: true }))
    }, t('Caso salvo'))
  return (
    <Modal opened onClose={onClose} size={860} title={title}>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={3} />}
      {pairs?.length === 0 && <p>{t('Nenhuma destas conversas está ao seu alcance.')}</p>}
      <ol className={css.pairs} aria-label={title}>
        {pairs?.map((pair) => (
          <li key={`${pair.ticketId} ${pair.at}`}>
            <header>
              <a href={`/atendimento/${pair.ticketId}`}>
                {pair.contactName} · #{pair.ticketId}
              </a>
              <time>{formatDateTime(pair.at)}</time>
              <Button size="sm" variant="default" leftSection={<CaseIcon size={16} />} onClick={() => void save(pair)}>
                {t('Salvar como caso')}
              </Button>
            </header>
            <div className={css.sides}>
              <Side title={t('Como foi')} side={pair.before} />
              <Side title={t('No rascunho')} side={pair.after} />
            </div>
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </Modal>
  )
}

function Side({ title, side }: { title: string; side: Pair['before'] }) {
  const { texts, path } = side
  const names = useNames()
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {texts.map(({ isBot, body }, index) => (
        <p key={index} className={bubble.bubble} data-own={isBot || undefined}>
          <RichText text={body || t('(um arquivo)')} />
        </p>
      ))}
      <small>{path.map(({ name }) => name).join(' → ') || t('nenhuma etapa')}</small>
      <small>
        <b>{endText()}</b>
      </small>
    </section>
  )

  function endText(): string {
    const { end, to, id, waiting } = side
    if (end === null) return waiting === 'call' ? t('Espera um sistema externo') : t('Ainda espera o cliente')
    if (end === 'person') return t('Uma pessoa assumiu')
    if (to === 'queue') return id === null ? t('Fila do canal') : t('Fila {name}', { name: nameIn(names.queues, id) })
    if (to === 'user') return t('Vai para {name}', { name: nameIn(names.users, id) })
    return to === 'channel' ? t('Continua em outro canal') : t('Encerra o atendimento')
  }
}
