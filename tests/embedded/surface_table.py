"""The functions of pyACL: name, the format its arguments are parsed by, and what it gives.

This list is its own: nothing in it comes from the declarations that it is held against. A result reads `ret` for a
code, with the other items of a tuple before it; `?` marks an item that may be None. What an `O` of a format stands
for follows it in brackets.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SURFACE", "Row"]


class Row(NamedTuple):
    """One function."""

    name: str
    arg_format: str
    objects: tuple[str, ...]
    result: tuple[str, ...]


_TABLE = """

acl
  init                                     |s                       ret
  finalize                                 -                        ret
  get_version                              -                        int int int ret
  get_soc_name                             -                        str?
  float16_to_float                         H                        float
  float_to_float16                         f                        int
  create_data_buffer                       kk                       int
  destroy_data_buffer                      k                        ret
  get_data_buffer_addr                     k                        int
  get_data_buffer_size                     k                        int
  get_data_buffer_size_v2                  k                        int
  update_data_buffer                       kkk                      ret
  data_type_size                           i                        int
  create_tensor_desc                       iOi[list]                int
  destroy_tensor_desc                      k                        None
  get_tensor_desc_type                     k                        int
  get_tensor_desc_format                   k                        int
  get_tensor_desc_size                     k                        int
  get_tensor_desc_element_count            k                        int
  get_tensor_desc_num_dims                 k                        int
  get_tensor_desc_dim                      kk                       int
  get_tensor_desc_name                     k                        str
  set_tensor_desc_name                     ks                       None
  trans_tensor_desc_format                 ki                       int ret
  app_log                                  is                       None
  set_tensor_storage_format                ki                       ret
  set_tensor_storage_shape                 kO[list]                 ret
  set_tensor_format                        ki                       ret
  set_tensor_shape                         kO[list]                 ret
  set_tensor_origin_format                 ki                       ret
  set_tensor_dynamic_input                 ks                       ret
  set_tensor_origin_shape                  kO[list]                 ret
  set_tensor_shape_range                   kO[list]                 ret
  get_tensor_desc_address                  k                        int
  get_tensor_desc_by_index                 kk                       int
  get_tensor_desc_dim_range                kkk                      list? ret
  get_tensor_desc_dim_v2                   kk                       int ret
  set_tensor_place_ment                    ki                       ret
  get_recent_err_msg                       -                        str?
  set_tensor_const                         kkk                      ret
  set_tensor_value_range                   kO[list]                 ret
  get_cann_attribute_list                  -                        list int ret
  get_cann_attribute                       i                        int ret
  get_device_capability                    Ii                       int ret
  get_cann_version                         I                        dict ret
  finalize_reference                       -                        int ret
  get_version_str                          s                        str ret

acl.rt
  binary_load_from_file                    sO[list]                 int ret
  binary_load_from_data                    kkO[list]                int ret
  get_function_addr                        k                        int int ret
  get_function_name                        kI                       str ret
  register_cpu_func                        kss                      int ret
  create_binary                            kk                       int
  destroy_binary                           k                        ret
  binary_load                              k                        int ret
  binary_unload                            k                        ret
  binary_get_function                      ks                       int ret
  launch_kernel                            kIkkk                    ret
  kernel_args_init                         k                        int ret
  kernel_args_init_by_user_mem             kkkk                     ret
  kernel_args_get_mem_size                 kk                       int ret
  kernel_args_get_handle_mem_size          k                        int ret
  kernel_args_append                       kkk                      int ret
  kernel_args_append_place_holder          k                        int ret
  kernel_args_get_place_holder_buffer      kkk                      int ret
  kernel_args_para_update                  kkkk                     ret
  kernel_args_finalize                     k                        ret
  launch_kernel_with_config                kIkOkk[list]             ret
  set_device                               i                        ret
  reset_device                             i                        ret
  reset_device_force                       i                        ret
  get_device                               -                        int ret
  set_device_sat_mode                      i                        ret
  get_device_sat_mode                      -                        int ret
  get_run_mode                             -                        int ret
  set_ts_device                            i                        ret
  get_device_count                         -                        int ret
  create_context                           i                        int ret
  destroy_context                          k                        ret
  set_context                              k                        ret
  get_context                              -                        int ret
  ctx_get_current_default_stream           -                        int ret
  get_overflow_status                      kkk                      ret
  reset_overflow_status                    k                        ret
  malloc                                   ki                       int ret
  free                                     k                        ret
  get_mem_info                             i                        int int ret
  malloc_cached                            ki                       int ret
  mem_flush                                kk                       ret
  mem_invalidate                           kk                       ret
  malloc_host                              k                        int ret
  free_host                                k                        ret
  memcpy                                   kkkki                    ret
  memcpy_async                             kkkkik                   ret
  memset                                   kkik                     ret
  memset_async                             kkikk                    ret
  create_stream                            -                        int ret
  create_stream_with_config                ii                       int ret
  destroy_stream                           k                        ret
  destroy_stream_force                     k                        ret
  set_stream_overflow_switch               kI                       ret
  get_stream_overflow_switch               k                        int ret
  set_stream_failure_mode                  kI                       ret
  stream_query                             k                        int ret
  create_event                             -                        int ret
  create_event_with_flag                   I                        int ret
  create_event_ex_with_flag                I                        int ret
  destroy_event                            k                        ret
  synchronize_stream                       k                        ret
  synchronize_stream_with_timeout          ki                       ret
  process_report                           i                        ret
  subscribe_report                         Kk                       ret
  unsubscribe_report                       Kk                       ret
  launch_callback                          OOik[callable,any]       ret
  synchronize_device                       -                        ret
  record_event                             kk                       ret
  reset_event                              kk                       ret
  query_event                              k                        int ret
  query_event_status                       k                        int ret
  query_event_wait_status                  k                        int ret
  synchronize_event                        k                        ret
  synchronize_event_with_timeout           ki                       ret
  event_elapsed_time                       kk                       float ret
  event_get_timestamp                      k                        int ret
  get_event_id                             k                        int ret
  get_event_avail_num                      -                        int ret
  stream_wait_event                        kk                       ret
  stream_get_id                            k                        int ret
  get_stream_available_num                 -                        int ret
  set_stream_attribute                     kiO[dict]                ret
  get_stream_attribute                     ki                       dict ret
  get_thread_last_task_id                  -                        int ret
  reduce_async                             kkkiikk                  ret
  set_exception_info_callback              |O[callable]             ret
  get_error_code_from_exception_info       k                        int
  get_task_id_from_exception_info          k                        int
  get_stream_id_from_exception_info        k                        int
  get_thread_id_from_exception_info        k                        int
  get_device_id_from_exception_info        k                        int
  set_op_wait_timeout                      I                        ret
  set_op_execute_time_out                  I                        ret
  memcpy2d                                 kkkkkki                  ret
  memcpy2d_async                           kkkkkkik                 ret
  reserve_mem_address                      kkkK                     int ret
  release_mem_address                      k                        ret
  malloc_physical                          kOK[dict]                int ret
  free_physical                            k                        ret
  malloc_with_cfg                          kiO[dict]                int ret
  malloc_for_task_scheduler                kiO[dict]                int ret
  malloc_host_with_cfg                     kO[dict]                 int ret
  map_mem                                  kkkkK                    ret
  unmap_mem                                k                        ret
  mem_export_to_shareable_handle           kiK                      int ret
  device_get_bare_tgid                     -                        int ret
  mem_set_pid_to_shareable_handle          KO[list]                 ret
  mem_import_from_shareable_handle         Ki                       int ret
  mem_get_allocation_granularity           Oi[dict]                 int ret
  get_device_utilization_rate              i                        dict ret
  query_device_status                      i                        int ret
  ctx_set_sys_param_opt                    il                       ret
  ctx_get_sys_param_opt                    i                        int ret
  set_sys_param_opt                        il                       ret
  get_sys_param_opt                        i                        int ret
  malloc_align32                           ki                       int ret
  allocator_create_desc                    -                        int
  allocator_destroy_desc                   k                        ret
  allocator_set_obj_to_desc                kk                       ret
  allocator_set_alloc_func_to_desc         kO[callable]             ret
  allocator_set_free_func_to_desc          kO[callable]             ret
  allocator_set_alloc_advise_func_to_desc  kO[callable]             ret
  allocator_set_get_addr_from_block_func_to_desc kO[callable]             ret
  allocator_register                       kk                       ret
  allocator_unregister                     k                        ret
  peek_at_last_error                       i                        ret
  get_last_error                           i                        ret
  synchronize_device_with_timeout          i                        ret
  cmo_async                                kkik                     ret
  device_task_abort                        iI                       ret
  memcpy_async_with_condition              kkkkik                   ret
  stream_abort                             k                        ret
  pointer_get_attributes                   k                        dict ret
  host_register                            kki                      int ret
  host_unregister                          k                        ret
  get_memcpy_desc_size                     i                        int ret
  set_memcpy_desc                          kikkkk                   int ret
  memcpy_async_with_desc                   kik                      ret
  value_write                              kkIk                     ret
  value_wait                               kkIk                     ret
  device_can_access_peer                   ii                       int ret
  device_enable_peer_access                iI                       ret
  device_disable_peer_access               i                        ret
  ipc_mem_get_export_key                   kkkK                     str ret
  ipc_mem_set_import_pid                   sO[list]                 ret
  ipc_mem_import_by_key                    sK                       int ret
  ipc_mem_close                            s                        ret
  get_device_info                          II                       int ret
  device_get_stream_priority_range         -                        int int ret
  get_device_capability                    iI                       int ret
  get_device_res_limit                     iI                       int ret
  set_device_res_limit                     iII                      ret
  reset_device_res_limit                   i                        ret
  get_devices_topo                         II                       int ret
  create_notify                            K                        int ret
  destroy_notify                           k                        ret
  record_notify                            kk                       ret
  wait_and_reset_notify                    kkL                      ret
  get_notify_id                            k                        int ret
  notify_batch_reset                       O[list]                  ret
  notify_get_export_key                    kkK                      str ret
  notify_set_import_pid                    kO[list]                 ret
  notify_import_by_key                     sK                       int ret
  get_stream_res_limit                     ki                       int ret
  set_stream_res_limit                     kiI                      ret
  reset_stream_res_limit                   k                        ret
  use_stream_res_in_current_thread         k                        ret
  unuse_stream_res_in_current_thread       k                        ret
  get_res_in_current_thread                i                        int ret
  get_primary_ctx_state                    i                        int int ret
  get_logic_dev_id_by_user_dev_id          i                        int ret
  get_user_dev_id_by_logic_dev_id          i                        int ret
  get_logic_dev_id_by_phy_dev_id           i                        int ret
  get_phy_dev_id_by_logic_dev_id           i                        int ret
  set_op_execute_timeout_v2                K                        int ret
  get_op_timeout_interval                  -                        int ret
  get_op_execute_timeout                   -                        int ret
  device_get_uuid                          i                        dict ret
  device_peer_access_status                ii                       int ret
  host_register_v2                         KKI                      ret
  host_get_device_pointer                  KI                       int ret
  set_group                                I                        ret
  get_group_count                          I                        int ret
  create_group_info                        -                        int
  destroy_group_info                       k                        ret
  get_all_group_info                       k                        ret
  get_group_info_detail                    kii                      list ret
  get_mem_uce_info                         iI                       list ret
  mem_uce_repair                           iO[list]                 ret

acl.op
  set_model_dir                            s                        ret
  load                                     kk                       ret
  execute                                  sOOOOkk[list,list,list,list] ret
  execute_with_handle                      kOOk[list,list]          ret
  cast                                     kkkkBk                   ret
  create_handle_for_cast                   kkB                      int ret
  create_attr                              -                        int
  destroy_attr                             k                        None
  set_attr_bool                            ksB                      ret
  set_attr_int                             ksL                      ret
  set_attr_float                           ksf                      ret
  set_attr_string                          kss                      ret
  set_attr_list_bool                       ksO[list]                ret
  set_attr_list_int                        ksO[list]                ret
  set_attr_list_float                      ksO[list]                ret
  set_attr_list_string                     ksO[list]                ret
  set_attr_list_list_int                   ksO[list]                ret
  create_handle                            sOOk[list,list]          int ret
  destroy_handle                           k                        None
  start_dump_args                          Is                       ret
  stop_dump_args                           I                        ret
  register_compile_func                    sO[callable]             ret
  unregister_compile_func                  s                        ret
  create_kernel                            ssskiii                  ret
  set_kernel_args                          ksIkI                    ret
  set_kernel_workspace_sizes               kik                      ret
  update_params                            sOOk[list,list]          ret
  execute_v2                               sOOOOkk[list,list,list,list] ret
  infer_shape                              sOOiOk[list,list,list]   ret
  set_attr_data_type                       ksi                      int ret
  set_attr_list_data_type                  ksO[list]                int ret
  set_max_op_queue_num                     K                        ret

acl.mdl
  load_from_file                           s                        int ret
  load_from_mem                            kk                       int ret
  load_from_file_with_mem                  skkkk                    int ret
  load_from_mem_with_mem                   kkkkkk                   int ret
  unload                                   I                        ret
  query_size                               s                        int int ret
  query_size_from_mem                      kk                       int int ret
  execute                                  Ikk                      ret
  execute_async                            Ikkk                     ret
  execute_v2                               Ikkkk                    ret
  create_dataset                           -                        int
  destroy_dataset                          k                        ret
  get_dataset_buffer                       kk                       int
  get_dataset_num_buffers                  k                        int
  add_dataset_buffer                       kk                       int ret
  create_desc                              -                        int
  get_desc                                 kI                       ret
  destroy_desc                             k                        ret
  get_num_inputs                           k                        int
  get_num_outputs                          k                        int
  get_input_size_by_index                  kk                       int
  get_output_size_by_index                 kk                       int
  set_dynamic_batch_size                   IkkK                     ret
  set_dynamic_hw_size                      IkkKK                    ret
  get_cur_output_dims                      kk                       dict ret
  get_input_dims                           kk                       dict ret
  get_input_dims_v2                        kk                       dict ret
  get_output_dims                          kk                       dict ret
  get_first_aipp_info                      Ik                       dict? ret
  create_aipp                              K                        int
  destroy_aipp                             k                        ret
  get_input_name_by_index                  kk                       str
  get_output_name_by_index                 kk                       str
  get_input_format                         kk                       int
  get_output_format                        kk                       int
  get_input_data_type                      kk                       int
  get_output_data_type                     kk                       int
  get_input_index_by_name                  ks                       int ret
  get_output_index_by_name                 ks                       int ret
  get_dynamic_batch                        k                        dict ret
  get_dynamic_hw                           kk                       dict ret
  set_aipp_input_format                    kI                       ret
  set_aipp_csc_params                      kbhhhhhhhhhBBBBBB        ret
  set_aipp_rbuv_swap_switch                kb                       ret
  set_aipp_ax_swap_switch                  kb                       ret
  set_aipp_src_image_size                  kii                      ret
  set_aipp_crop_params                     kbiiiiK                  ret
  set_aipp_padding_params                  kbiiiiK                  ret
  set_aipp_dtc_pixel_mean                  khhhhK                   ret
  set_aipp_dtc_pixel_min                   kffffK                   ret
  set_aipp_pixel_var_reci                  kffffK                   ret
  set_input_aipp                           Ikkk                     ret
  set_aipp_by_input_index                  Ikkk                     ret
  get_aipp_type                            Ik                       int int ret
  get_aipp_data_size                       K                        int ret
  set_input_dynamic_dims                   IkkO[dict]               ret
  get_input_dynamic_gear_count             kk                       int ret
  get_input_dynamic_dims                   kkk                      list? ret
  create_and_get_op_desc                   IIIk                     str int int int int ret
  init_dump                                -                        ret
  finalize_dump                            -                        ret
  set_dump                                 |s                       ret
  dump_reg_callback                        Oi[callable]             ret
  dump_unreg_callback                      -                        None
  load_with_config                         k                        int ret
  create_config_handle                     -                        int
  destroy_config_handle                    k                        ret
  set_config_opt                           kiO[int]                 ret
  get_tensor_real_name                     ks                       str?
  set_dataset_tensor_desc                  kkk                      int ret
  get_dataset_tensor_desc                  kk                       int
  get_op_attr                              kss                      str?
  create_exec_config_handle                -                        int
  destroy_exec_config_handle               k                        ret
  set_exec_config_opt                      kkI                      ret
  get_desc_from_file                       ks                       ret
  get_desc_from_mem                        kkk                      ret
  get_input_dims_range                     kk                       dict ret
  bundle_load_from_file                    s                        int ret
  bundle_load_from_mem                     kk                       int ret
  bundle_unload                            I                        ret
  bundle_get_model_id                      Ik                       int ret
  bundle_get_model_num                     I                        int ret
  set_aipp_scf_params                      kbiiiiK                  ret
  load_from_file_with_q                    skkkk                    int ret
  load_from_mem_with_q                     kkkkkk                   int ret

acl.util
  numpy_to_ptr                             O[array]                 int
  numpy_contiguous_to_ptr                  O[array]                 int ndarray
  ptr_to_numpy                             kOi[tuple]               ndarray
  bytes_to_ptr                             O[bytes]                 int
  ptr_to_bytes                             kk                       bytes
  start_thread                             OO[callable,any]         int ret
  stop_thread                              K                        ret
"""


def _rows() -> list[Row]:
    rows, group = [], ""
    for line in filter(str.strip, _TABLE.splitlines()):
        if not line.startswith(" "):
            group = line
            continue
        name, arguments, *result = line.split()
        arg_format, _, objects = arguments.rstrip("]").partition("[")
        kinds = tuple(filter(None, objects.split(",")))
        rows.append(Row(f"{group}.{name}", arg_format.strip("-"), kinds, tuple(result)))
    return rows


SURFACE = _rows()
