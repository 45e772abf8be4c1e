/** Before a text that is a file: without it spreadsheets mistake UTF-8 for an older encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';
