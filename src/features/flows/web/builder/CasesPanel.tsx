import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { endId } from '#domain/flow/edit.ts'
import type { Parts } from '#domain/flow/parts.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { DeleteIcon, ErrorIcon, PlayIcon, PositiveIcon } from '#web/ui/icons.ts'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import ofCases from './cases.module.css'
import type { Conversation } from './conversation.ts'
import type { Draft } from './draft.ts'
import { ItemCard } from './ItemCard.tsx'
import { SidePanel } from './SidePanel.tsx'

type Case = Answer<typeof flows.listCases>['cases'][number]

const fields = { messages: t('Mensagens'), path: t('Caminho'), end: t('Fim') }
const ends: Record<string, string> = {
  queue: t('vai para uma fila'),
  user: t('vai para uma pessoa'),
  closed: t('é encerrada'),
  channel: t('continua em outro canal'),
  person: t('uma pessoa assume'),
  done: t('o fluxo termina sem direcionar'),
}

/** Panel of a flow's cases: results on the draft, differences, and uncovered steps. */
export function CasesPanel(props: {
  draft: Draft
  steps: readonly Parts[]
  panel: Ref<HTMLElement>
  /** Id of the case that is initially open. */
  opened: number | null
  refusal: string | undefined
  onPlay: (conversation: Conversation) => void
  onClose: () => void
}) {
  const { draft, steps, panel, opened, refusal, onPlay, onClose } = props
  const { detail } = draft.state.use()
  const [open, setOpen] = useState(opened)
  const [isBusy, setBusy] = useState(false)
  const params = { id: detail.id }
  const { data, error, isPending, refetch } = useQuery(query(flows.listCases, { params }))
  const run = async () => {
    setBusy(true)
    await attempt(async () => draft.reviewed(await call(flows.runCases, { params }, { quiet: true })))
    setBusy(false)
  }
  const remove = async ({ id, name }: Case) => {
    const sure = await confirm({
      title: t('Excluir o caso “{name}”?', { name }),
      text: t('O que ele confere deixa de ser conferido. Isto não pode ser desfeito.'),
      action: t('Excluir caso'),
    })
    if (!sure) return
    await attempt(async () => {
      await call(flows.removeCase, { params: { ...params, caseId: id } }, { quiet: true })
      draft.reviewed(await call(flows.runCases, { params }, { quiet: true }))
    }, t('Caso excluído'))
  }
  const results = new Map(detail.cases.map((one) => [one.id, one]))
  const failing = detail.cases.filter(({ isPassed }) => !isPassed).length
  const count = detail.cases.length
  const nodes = new Set(detail.coverage)
  const ways = steps.flatMap(({ id, conditions }) => conditions.map((_, index) => endId(id, index)))
  const taken = new Set(detail.branches.map(({ nodeId, index }) => endId(nodeId, index)))
  const entered = steps.filter(({ id }) => nodes.has(id)).length
  const gone = ways.filter((way) => taken.has(way)).length
  return (
    <SidePanel
      kind={t('Fluxo')}
      title={count === 0 ? t('Casos') : plural(count, t('caso'), t('casos'))}
      {...{ panel, refusal, onClose }}
    >
      {count === 0 ? (
        <p>
          {t(
            'Um caso é uma conversa do simulador que o fluxo tem de repetir sempre: cada vez que você salva, todos são conferidos.',
          )}
        </p>
      ) : (
        <>
          <p>
            {failing === 0
              ? t('Todos passam no rascunho.')
              : t('{count} no rascunho: enquanto isso, ele não é publicado.', {
                  count: plural(failing, t('caso não passa'), t('casos não passam')),
                })}
          </p>
          <p>
            {t('Eles percorrem {nodes} de {allNodes} etapas e {ways} de {allWays} caminhos.', {
              nodes: entered,
              allNodes: steps.length,
              ways: gone,
              allWays: ways.length,
            })}
            {(entered < steps.length || gone < ways.length) && ` ${t('O resto está marcado no fluxo.')}`}
          </p>
          <BusyButton variant="default" busy={isBusy} doing={t('Conferindo')} onClick={() => void run()}>
            {t('Conferir todos agora')}
          </BusyButton>
        </>
      )}
      {isPending && <SkeletonRows kind="card" rows={3} />}
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      <ol className={css.items} aria-label={t('Casos')}>
        {data?.cases.map((one) => {
          const { isPassed, differences } = results.get(one.id) ?? one
          return (
            <ItemCard
              key={one.id}
              icon={isPassed ? PositiveIcon : ErrorIcon}
              tone={isPassed ? 'pos' : 'neg'}
              title={one.name}
              summary={isPassed ? t('Passa') : t('Não passa')}
              isOpen={open === one.id}
              onToggle={() => setOpen(open === one.id ? null : one.id)}
              commands={[
                { id: 'play', label: t('Abrir no simulador'), icon: PlayIcon, run: () => onPlay(one) },
                {
                  id: 'remove',
                  label: t('Excluir…'),
                  icon: DeleteIcon,
                  tone: 'neg',
                  run: () => void remove(one),
                },
              ]}
            >
              <p className={css.summary}>
                {one.events.map(({ text }) => (text === undefined ? t('(espera)') : `“${text}”`)).join(' → ') ||
                  t('O cliente não responde.')}
              </p>
              {differences.map(({ field, expected, actual }) => (
                <dl key={field} className={ofCases.difference}>
                  <dt>{fields[field]}</dt>
                  <dd data-is="expected">
                    <b>{t('Esperado')}</b> {shown(field, expected, steps)}
                  </dd>
                  <dd data-is="actual">
                    <b>{t('Aconteceu')}</b> {shown(field, actual, steps)}
                  </dd>
                </dl>
              ))}
              {isPassed && <p className={css.summary}>{shown('path', one.expect.path ?? [], steps)}</p>}
              <Button size="sm" variant="light" leftSection={<PlayIcon size={15} />} onClick={() => onPlay(one)}>
                {t('Abrir no simulador')}
              </Button>
            </ItemCard>
          )
        })}
      </ol>
    </SidePanel>
  )
}

function shown(field: keyof typeof fields, values: readonly string[], steps: readonly Parts[]): string {
  if (field === 'end') return values.map((end) => ends[end] ?? end).join('') || t('ainda espera')
  if (field === 'path')
    return values.map((id) => steps.find((step) => step.id === id)?.name ?? id).join(' → ') || t('nenhuma etapa')
  return values.join('\n') || t('nada')
}
