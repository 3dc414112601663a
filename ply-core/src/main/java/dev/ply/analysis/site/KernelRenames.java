package dev.ply.analysis.site;

import com.google.common.collect.ImmutableListMultimap;

/**
 * Names that published scripts have and kernels have changed, with those of later kernels: for
 * messages, which show the ones that the target has.
 */
public final class KernelRenames {
  /** Functions by their names in earlier kernels. */
  static final ImmutableListMultimap<String, String> FUNCTIONS =
      ImmutableListMultimap.<String, String>builder()
          .putAll("__alloc_pages_nodemask", "__alloc_pages_noprof", "__alloc_pages")
          .putAll("__alloc_pages", "__alloc_frozen_pages_noprof")
          .putAll("__do_page_cache_readahead", "do_page_cache_ra")
          .putAll("__page_cache_alloc", "filemap_alloc_folio_noprof", "filemap_alloc_folio")
          .putAll("__set_page_dirty", "__folio_mark_dirty")
          .putAll("__vfs_read", "vfs_read")
          .putAll("__vfs_write", "vfs_write")
          .putAll("_do_fork", "kernel_clone")
          .putAll("do_fork", "kernel_clone")
          .putAll("account_page_dirtied", "folio_account_dirtied")
          .putAll("add_to_page_cache_lru", "filemap_add_folio")
          .putAll("blk_account_io_completion", "blk_update_request")
          .putAll("blk_account_io_done", "blk_mq_end_request", "__blk_mq_end_request")
          .putAll("blk_account_io_start", "blk_mq_start_request")
          .putAll("blk_start_request", "blk_mq_start_request")
          .putAll("delete_from_page_cache", "filemap_remove_folio")
          .putAll("do_generic_file_read", "filemap_read")
          .putAll("do_sys_open", "do_sys_openat2")
          .putAll("generic_file_buffered_read", "filemap_read")
          .putAll("generic_make_request", "submit_bio_noacct")
          .putAll("hrtimer_init", "hrtimer_setup")
          .putAll("kfree_skb", "sk_skb_reason_drop", "kfree_skb_reason")
          .putAll("kfree_skb_reason", "sk_skb_reason_drop")
          .putAll("mark_page_accessed", "folio_mark_accessed")
          .putAll("migrate_page", "migrate_folio")
          .putAll("pagecache_get_page", "__filemap_get_folio")
          .putAll("shrink_page_list", "shrink_folio_list")
          .putAll("swap_readpage", "swap_read_folio")
          .putAll("swap_writepage", "swap_writeout", "__swap_writepage")
          .putAll("test_clear_page_writeback", "__folio_end_writeback")
          .putAll("ttwu_do_wakeup", "ttwu_do_activate", "try_to_wake_up")
          .putAll("wait_on_page_bit", "folio_wait_bit")
          .putAll("wake_up_page_bit", "folio_wake_bit")
          .putAll("write_cache_pages", "writeback_iter")
          .build();

  /** Tracepoints by their names in earlier kernels. */
  static final ImmutableListMultimap<String, String> TRACEPOINTS =
      ImmutableListMultimap.<String, String>builder()
          .putAll("block:block_sleeprq", "block:block_getrq")
          .putAll("ext4:ext4_readpage", "ext4:ext4_read_folio")
          .putAll("ext4:ext4_releasepage", "ext4:ext4_release_folio")
          .putAll("ext4:ext4_invalidatepage", "ext4:ext4_invalidate_folio")
          .putAll("ext4:ext4_writepage", "ext4:ext4_writepages")
          .putAll("kmem:kmalloc_node", "kmem:kmalloc")
          .putAll("kmem:kmem_cache_alloc_node", "kmem:kmem_cache_alloc")
          .putAll("tcp:tcp_set_state", "sock:inet_sock_set_state")
          .putAll("vmscan:mm_vmscan_writepage", "vmscan:mm_vmscan_write_folio")
          .putAll("writeback:writeback_dirty_page", "writeback:writeback_dirty_folio")
          .putAll("writeback:wait_on_page_writeback", "writeback:folio_wait_writeback")
          .build();

  /** Members, {@code struct.member}, by their names in earlier kernels: paths. */
  public static final ImmutableListMultimap<String, String> MEMBERS =
      ImmutableListMultimap.<String, String>builder()
          .putAll("address_space.page_tree", "i_pages")
          .putAll("bio.bi_disk", "bi_bdev.bd_disk")
          .putAll("bio.bi_rw", "bi_opf")
          .putAll("bio.bi_sector", "bi_iter.bi_sector")
          .putAll("bio.bi_size", "bi_iter.bi_size")
          .putAll("dentry.d_iname", "d_shortname.string")
          .putAll("file.f_dentry", "f_path.dentry")
          .putAll("file.f_vfsmnt", "f_path.mnt")
          .putAll("inode.i_atime", "i_atime_sec", "__i_atime")
          .putAll("inode.i_ctime", "i_ctime_sec", "__i_ctime")
          .putAll("inode.i_mtime", "i_mtime_sec", "__i_mtime")
          .putAll("iov_iter.iov", "__iov")
          .putAll("iov_iter.type", "iter_type")
          .putAll("kernfs_node.parent", "__parent")
          .putAll("mm_struct.mmap", "mm_mt")
          .putAll("mm_struct.mmap_sem", "mmap_lock")
          .putAll("msghdr.msg_iov", "msg_iter.__iov")
          .putAll("nsproxy.pid_ns", "pid_ns_for_children")
          .putAll("page._count", "_refcount")
          .putAll("request.rq_disk", "q.disk")
          .putAll("task_struct.cpu", "thread_info.cpu")
          .putAll("task_struct.cpus_allowed", "cpus_mask")
          .putAll("task_struct.real_start_time", "start_boottime")
          .putAll("task_struct.state", "__state")
          .build();

  private KernelRenames() {}
}
