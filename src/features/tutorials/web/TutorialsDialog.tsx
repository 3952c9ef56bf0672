import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { TutorialIcon } from '#web/ui/icons.ts'
import { tutorialEvents, tutorials } from '../addresses.ts'
import css from './tutorials.module.css'

const AT_ONCE = 10

/** Dialog of the active tutorials, ten per page; each opens in a new tab. */
export function TutorialsDialog({ onClose }: { onClose: () => void }) {
  const list = useList(tutorials.list, (page) => page.items, { isActive: ['true'] } as never, [tutorialEvents.changed])
  const [most, setMost] = useState(AT_ONCE)
  const hasMore = list.first !== undefined && most < list.first.count
  const showMore = () => {
    if (most + AT_ONCE > list.rows.length) list.onEnd()
    setMost(most + AT_ONCE)
  }
  return (
    <Modal opened onClose={onClose} size={640} title={t('Tutoriais')}>
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && list.rows.length === 0 && (
        <EmptyState
          title={t('Nenhum tutorial ainda')}
          text={t('O que a empresa publicar para você aprender aparece aqui.')}
        />
      )}
      <ul className={css.list} aria-label={t('Tutoriais')}>
        {list.rows.slice(0, most).map(({ id, title, description, link, thumbnail }) => (
          <li key={id}>
            <a href={link} target="_blank" rel="noopener noreferrer">
              <span className={css.cover}>
                {thumbnail ? <img src={thumbnail} alt="" loading="lazy" /> : <TutorialIcon size={24} />}
              </span>
              <span className={css.text}>
                <b>{title}</b>
                {description && <span>{description}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button variant="default" onClick={showMore}>
          {t('Mostrar mais')}
        </Button>
      )}
    </Modal>
  )
}
