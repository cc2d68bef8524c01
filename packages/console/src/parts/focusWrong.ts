/** Moves the focus to the first field that is wrong within an element, once it is marked. */
export const focusWrong = (within: string): void => {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`${within} :is([aria-invalid], [data-wrong])`)?.focus()
  )
}
