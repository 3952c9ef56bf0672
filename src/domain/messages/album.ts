/** Album: images and videos sent together; the counts are known for albums of ours. */
export type Album = { readonly id: string; readonly images?: number; readonly videos?: number }
