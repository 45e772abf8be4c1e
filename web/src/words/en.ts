import { plurals } from './plural';

const n = plurals('en');

/** Every text of the dashboard. A section for each folder of pages/; other languages have the same shape (uk.ts). */
const en = {
  common: {
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    create: 'Create',
    edit: 'Edit',
    delete: 'Delete',
    add: 'Add',
    remove: 'Remove',
    copy: 'Copy',
    copied: 'Copied',
    undo: 'Undo',
    undone: 'Undone',
    saved: 'Saved',
    created: 'Created',
    deleted: 'Deleted',
    loading: 'Loading',
    more: 'Show more',
    retry: 'Try again',
    yes: 'Yes',
    no: 'No',
    none: 'None',
    never: 'Never',
    all: 'All',
    search: 'Search',
    details: 'Details',
    actions: 'Actions',
    selected: (count: number) => n(count, { one: '# selected', other: '# selected' }),
    selectAll: 'Select all',
    select: (name: string) => `Select ${name}`,
    nothingFound: 'Nothing found',
    nothingFoundHint: 'Try other words, or take a filter away.',
    optional: 'optional',
    unsaved: 'You have changes that are not saved. Leave the page without them?',
  },
  refusals: {
    title: 'That did not work',
    unreachable: 'The service could not be reached. Check your connection and try again.',
    rate_limited: (seconds: number) =>
      n(seconds, { one: 'Too much at once. Wait # second.', other: 'Too much at once. Wait # seconds.' }),
    forbidden: 'You may not do this in this store.',
    internal_error: 'Something went wrong on our side. Nothing you can do about it but try again.',
    requestId: 'For support',
    page: 'This page could not be shown',
    required: 'Fill this in.',
    tooLong: (max: number) => n(max, { one: 'At most # character.', other: 'At most # characters.' }),
    tooShort: (min: number) => n(min, { one: 'At least # character.', other: 'At least # characters.' }),
    atLeast: (min: string) => `At least ${min}.`,
    atMost: (max: string) => `At most ${max}.`,
    whole: 'A whole number.',
    number: 'A number.',
    url: 'A full address that starts with https://',
  },
  conflict: {
    title: 'Somebody has changed this meanwhile',
    text: 'What you typed is still here. Compare it with what is saved now, and choose.',
    yours: 'Yours',
    theirs: 'Saved now',
    keepMine: 'Save mine over it',
    takeTheirs: 'Take what is saved',
  },
  confirm: {
    type: (text: string) => `Type ${text} to confirm`,
    irreversible: 'This cannot be undone.',
  },
  secret: {
    once: 'It is shown only this once. Keep it where you keep passwords.',
    done: 'I have saved it',
  },
  shell: {
    skip: 'Skip to the page',
    menu: 'Menu',
    pages: 'Pages',
    account: 'Account',
    store: 'Store',
    signOut: 'Sign out',
    dark: 'Dark',
    light: 'Light',
    asSystem: 'As the system',
    appearance: 'Appearance',
    language: 'Language',
    keys: 'Keyboard',
    keysTitle: 'Keys',
    keysPalette: 'Search and actions',
    keysHelp: 'This list',
    keysGo: (page: string) => `Go to ${page}`,
    palette: 'A page, an action, an order number, a name',
    noSuchPage: 'There is nothing at this address',
    home: 'To the overview',
    noStores: 'You are not a member of any store',
    noStoresHint: 'Ask the owner of a store to invite you.',
    sections: {
      sell: 'Sell',
      catalog: 'Catalog',
      marketing: 'Marketing',
      shop: 'Shop',
      partners: 'Partners',
      account: 'Account',
    },
  },
  signIn: {
    title: 'Sign in',
    again: 'Sign in again',
    againHint: 'Your session has ended. What you typed is still here.',
    email: 'E-mail',
    password: 'Password',
    code: 'Code of your authenticator app, or a recovery code',
    submit: 'Sign in',
    forgot: 'Forgot the password?',
    forgotNoMail: 'Ask whoever runs this service to set a new password for you.',
    resetRequested: 'If there is an account with this address, a link is on its way to it.',
    sendLink: 'Send me a link',
    back: 'Back',
    newPassword: 'New password',
    newPasswordHint: 'At least 10 characters.',
    resetTitle: 'Choose a new password',
    resetDone: 'Your password is changed. Sign in with it.',
    resetSubmit: 'Change the password',
    invitationTitle: 'Join the store',
    invitationTo: (store: string) => `Join ${store}`,
    invitationAs: (email: string) => `You join as ${email}.`,
    invitationHint: 'If you have an account with this address, give its password. Otherwise choose one.',
    join: 'Join',
  },
  status: {
    PENDING: 'Pending',
    PROCESSING: 'Processing',
    SHIPPED: 'Shipped',
    DELIVERED: 'Delivered',
    CANCELLED: 'Cancelled',
  },
  /** Names of fields, where the name from the interface is not what a person would say. */
  fields: {
    id: 'Id',
    name: 'Name',
    title: 'Title',
    description: 'Description',
    createdAt: 'Created',
    updatedAt: 'Changed',
    isActive: 'Active',
    isHidden: 'Hidden',
    sortOrder: 'Order',
    logoUrl: 'Logo (address)',
    imageUrl: 'Picture (address)',
    websiteUrl: 'Website',
    slug: 'Name in addresses',
  } as Record<string, string>,
  /** A sentence below a field of a form. */
  hints: {
    sortOrder: 'Smaller numbers come first.',
    slug: 'Letters, digits and hyphens.',
  } as Record<string, string>,

  overview: { title: 'Overview' },

  orders: {
    title: 'Orders',
    one: (id: number | string) => `Order ${id}`,
    order: 'Order',
    shopper: 'Shopper',
    status: 'Status',
    items: 'Items',
    total: 'Total',
    placed: 'Placed',
    find: 'Number, name, @username, tracking, product',
    empty: 'No orders yet',
    emptyHint: 'Share your shop: orders placed in the messenger appear here.',
    emptyFiltered: 'No such orders',
    emptyFilteredHint: 'Orders appear here as soon as one fits.',
  },

  customers: { title: 'Customers' },

  analytics: { title: 'Analytics' },

  products: { title: 'Products' },

  brands: {
    title: 'Brands',
    create: 'Create a brand',
    empty: 'No brands yet',
    emptyHint: 'Brands help shoppers find products of a maker.',
  },

  categories: { title: 'Categories' },

  promocodes: { title: 'Promocodes' },

  contests: { title: 'Contests' },

  campaigns: { title: 'Campaigns' },

  monetization: { title: 'Bonus and cashback' },

  checkout: { title: 'Checkout' },

  paymentProviders: { title: 'Payment providers' },

  invoiceFields: { title: 'Invoice fields' },

  payments: { title: 'Payments' },

  bot: { title: 'Bot' },

  settings: { title: 'Settings' },

  tokens: {
    title: 'API tokens',
    hint: 'Keys with which programs and agents call this store. Each is shown once, when it is made.',
    create: 'Create a token',
    made: (name: string) => `Token ${name}`,
    name: 'Name',
    nameHint: 'What uses it: you see this name in the audit.',
    scope: 'May do',
    scopes: { read: 'Look only', write: 'Look and change', admin: 'Also delete' },
    scopeHints: {
      read: 'Sees orders, products, customers and figures. Changes nothing.',
      write: 'Also creates and changes: orders, catalog, promotions, campaigns, settings, payment.',
      admin: 'Also deletes orders, products and other records for good.',
    },
    expiry: 'Works for',
    days: (count: number) => n(count, { one: '# day', other: '# days' }),
    noExpiry: 'Until it is revoked',
    state: 'State',
    works: 'Works',
    expired: 'Expired',
    revoked: 'Revoked',
    expires: 'Expires',
    lastUsed: 'Last used',
    revoke: 'Revoke',
    revokeHint: 'What uses this token is refused from the next call on. This cannot be undone.',
    empty: 'No tokens yet',
    emptyHint: 'A program that works with this store needs one: an ERP, a script, an agent.',
  },

  webhooks: { title: 'Order webhooks' },

  connections: { title: 'Connected apps' },

  agents: { title: 'Connect an agent' },

  audit: { title: 'Audit' },

  billing: { title: 'Billing' },

  members: { title: 'Members' },

  security: { title: 'Security' },
};

export type Words = typeof en;
export default en;
