import { Button } from '@mantine/core'
import { t } from '../../t.ts'

/** Button “Mostrar mais” below a list that is read page by page, while there is more of it. */
export function MoreButton(props: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = props.list
  if (!hasNextPage) return null
  return (
    <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('Mostrar mais')}
    </Button>
  )
}
