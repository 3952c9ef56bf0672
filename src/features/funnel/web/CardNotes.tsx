import { Button, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useLive } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { funnelEvents, opportunityNotes } from '../addresses.ts'
import css from './funnel.module.css'

async function remove(noteId: number): Promise<void> {
  const sure = await confirm({
    title: t('Excluir esta nota?'),
    text: t('Ela some para todos, e isto não pode ser desfeito.'),
    action: t('Excluir nota'),
  })
  if (sure)
    await attempt(() => call(opportunityNotes.remove, { params: { noteId } }, { quiet: true }), t('Nota excluída'))
}

/** Notes of an opportunity, newest first, with an input; `draft` is its text. */
export function CardNotes(props: { opportunityId: number; draft: string; onDraft: (text: string) => void }) {
  const { opportunityId, draft, onDraft } = props
  const mayWrite = useMay()('funnel:write')
  const [busy, setBusy] = useState(false)
  const list = useInfiniteQuery(pages(opportunityNotes.list, { params: { id: opportunityId } }))
  useLive(opportunityNotes.list.family, [funnelEvents.moved])
  const add = async () => {
    setBusy(true)
    const body = { text: draft }
    const made = await attempt(() =>
      call(opportunityNotes.create, { params: { id: opportunityId }, body }, { quiet: true }),
    )
    if (made) onDraft('')
    setBusy(false)
  }
  return (
    <>
      {mayWrite && (
        <div className={css.writing}>
          <Textarea
            label={t('Nova nota')}
            placeholder={t('O que a equipe precisa saber')}
            autosize
            minRows={2}
            maxLength={4000}
            value={draft}
            onChange={(event) => onDraft(event.currentTarget.value)}
          />
          <Button variant="default" disabled={!draft.trim()} loading={busy} onClick={() => void add()}>
            {t('Adicionar nota')}
          </Button>
        </div>
      )}
      {list.error && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {!list.data && !list.error && <SkeletonRows kind="table" rows={3} />}
      {list.data?.pages[0]?.data.length === 0 && (
        <p className={css.note}>{t('Nenhuma nota nesta oportunidade ainda.')}</p>
      )}
      <ul className={css.work} aria-label={t('Notas da oportunidade')}>
        {list.data?.pages
          .flatMap((page) => page.data)
          .map((one) => (
            <li key={one.id}>
              <span className={css.names}>
                <span className={css.text}>{one.text}</span>
                <small>{[formatDateTime(one.createdAt), one.userName].filter(Boolean).join(' · ')}</small>
              </span>
              {mayWrite && one.mayRemove && (
                <IconButton aria-label={t('Excluir nota')} onClick={() => void remove(one.id)}>
                  <DeleteIcon size={17} />
                </IconButton>
              )}
            </li>
          ))}
      </ul>
      <MoreButton list={list} />
    </>
  )
}
